// Smooths rows of shorts with the neighbours of each cell, and scales what comes of it by a cell of each row.
__kernel void window_rows(__global const short *a, __global const short *scale, __global int *b, __global int *c, int n)
{
    int i = get_global_id(0);
    for (int k = 2; k < n - 2; k++) {
        b[i * n + k] = a[i * n + k - 2] + 2 * a[i * n + k - 1] + 4 * a[i * n + k] + 2 * a[i * n + k + 1] + a[i * n + k + 2];
        c[i * n + k] = b[i * n + k] * scale[i] + scale[i + 1] * a[i * n + k];
    }
}
