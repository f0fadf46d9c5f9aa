// One step of all shortest paths: a row and a column for every cell.
__kernel void floyd_step(__global const int *restrict from, __global int *restrict to, int n, int k)
{
    int j = get_global_id(0);
    int i = get_global_id(1);
    if (i < n && j < n) {
        int through = from[i * n + k] + from[k * n + j];
        to[i * n + j] = min(from[i * n + j], through);
    }
}
