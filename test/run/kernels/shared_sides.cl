// Loops side by side, which become one or are shared one by one.
__kernel void shared_sides(__global const int *restrict a, __global int *restrict r, __global uint *restrict q, int n, int m)
{
    int x = get_global_id(0), y = get_global_id(1);
    int low = 1000;
    uint bits = y;
    for (int k = 0; k < m; k++)
        low = min(low, a[k * n + k % n] - x);
    for (int l = 0; l < m; l++)
        bits ^= (uint)a[l] << (x & 7);
    r[(y * (int)get_global_size(0) + x) * 3] = low;
    q[y * (int)get_global_size(0) + x] = bits;
}
