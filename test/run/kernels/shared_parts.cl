// Loops in loops and loops side by side, which work-items share as other steps have made them.
__kernel void shared_parts(__global const int *restrict a, __global int *restrict r, __global uint *restrict q, int n, int m)
{
    int x = get_global_id(0), y = get_global_id(1);
    for (int c = 0; c < 3; c++) {
        int s = x - y;
        for (int j = 0; j < n; j++)
            for (int k = 0; k < m; k++)
                s += a[(c * n + j) * m + k] * (k + x);
        r[(y * (int)get_global_size(0) + x) * 3 + c] = s;
    }
}
