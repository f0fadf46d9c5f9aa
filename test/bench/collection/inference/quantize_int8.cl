// Floats to bytes by a scale, and int8 products accumulated in int32.
__kernel void quantize(__global const float *x, __global char *q, float inv_scale, int n)
{
    int i = get_global_id(0);
    if (i < n)
        q[i] = convert_char_sat_rte(x[i] * inv_scale);
}

__kernel void gemm_s8(__global const char *a, __global const char *b, __global int *c, int m, int n, int k)
{
    int col = get_global_id(0);
    int row = get_global_id(1);
    if (row < m && col < n) {
        int acc = 0;
        for (int p = 0; p < k; p++)
            acc += (int)a[row * k + p] * (int)b[col * k + p];
        c[row * n + col] = acc;
    }
}
