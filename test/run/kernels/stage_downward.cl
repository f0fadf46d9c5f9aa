// Loops that count down: sums in the order of their iterations, a quotient of cells from both ends,
// and results that are copied out.
__kernel void stage_downward(__global const float *restrict a, __global const float *restrict b,
                             __global float *restrict c, __global float *restrict d, int m, int n,
                             int q)
{
    int j = get_global_id(0), i = get_global_id(1);
    if (i >= m || j >= n)
        return;
    float t = 0;
    for (int k = q - 1; k >= 0; k--)
        t += a[i * q + k] * b[k * n + j];
    c[i * n + j] = t;
    for (int l = 2 * q; l > 1; l -= 2) {
        t = t * 0.5f + a[i * q + (q - 1)] / b[j];
        d[(i * n + j) * (2 * q + 1) + l] = t - l;
    }
}
__kernel void stage_downward_rows(__global const float *restrict a, __global float *restrict b,
                                  int rows, int n)
{
    int i = get_global_id(0);
    if (i >= rows)
        return;
    float t = 0;
    for (int k = n - 1; k >= 0; --k) {
        t = t * 0.5f + a[i * n + k] / a[n - 1 - k];
        b[i * n + k] = t;
    }
}
