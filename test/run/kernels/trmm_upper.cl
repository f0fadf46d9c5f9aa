// A triangular factor: the loop begins behind the diagonal.
__kernel void trmm_upper(__global const float *restrict a, __global const float *restrict b,
                         __global float *restrict c, int m, int n)
{
    int j = get_global_id(0);
    int i = get_global_id(1);
    if (i < m && j < n) {
        float sum = b[i * n + j];
        for (int k = i + 1; k < m; k++)
            sum += a[k * m + i] * b[k * n + j];
        c[i * n + j] = 0.5f * sum;
    }
}
