// A level of a breadth-first search: the frontier marks, then the marks become the frontier.
typedef struct {
    int starting;
    int no_of_edges;
} Node;

__kernel void bfs_kernel2(__global char *frontier, __global char *updating, __global char *visited, __global char *over, int n)
{
    int tid = get_global_id(0);
    if (tid < n && updating[tid]) {
        frontier[tid] = 1;
        visited[tid] = 1;
        *over = 1;
        updating[tid] = 0;
    }
}

__kernel void bfs_kernel1(__global const Node *nodes, __global const int *edges, __global const char *frontier,
                          __global const char *visited, __global char *updating, int n)
{
    int tid = get_global_id(0);
    if (tid < n && frontier[tid]) {
        int first = nodes[tid].starting;
        for (int i = first; i < first + nodes[tid].no_of_edges; i++) {
            int id = edges[i];
            if (!visited[id])
                updating[id] = 1;
        }
    }
}
