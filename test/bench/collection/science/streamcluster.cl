// The gain of a new centre for every point.
typedef struct {
    float weight;
    long assign;
    float cost;
} Point_Struct;

__kernel void pgain(__global const Point_Struct *p, __global const float *coord, __global float *work, __global const int *center_table,
                    __global char *switch_membership, __local float *coord_x, int num, int dim, long x, int K)
{
    const int thread_id = get_global_id(0);
    const int local_id = get_local_id(0);
    if (local_id == 0)
        for (int i = 0; i < dim; i++)
            coord_x[i] = coord[i * num + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (thread_id < num) {
        float x_cost = 0.0f;
        for (int i = 0; i < dim; i++)
            x_cost += (coord[(i * num) + thread_id] - coord_x[i]) * (coord[(i * num) + thread_id] - coord_x[i]);
        x_cost = x_cost * p[thread_id].weight;
        float current_cost = p[thread_id].cost;
        int base = thread_id * (K + 1);
        if (x_cost < current_cost) {
            switch_membership[thread_id] = '1';
            work[base + K] = x_cost - current_cost;
        } else {
            int assign = p[thread_id].assign;
            work[base + center_table[assign]] += current_cost - x_cost;
        }
    }
}
