// Four columns per element of B and C.
__kernel void matmul_float4(__global const float *restrict a, __global const float4 *restrict b,
                            __global float4 *restrict c, int m, int n, int k)
{
    int j = get_global_id(0);
    int i = get_global_id(1);
    if (i < m && j < n) {
        float4 sum = (float4)(0.0f);
        for (int l = 0; l < k; l++)
            sum += a[i * k + l] * b[l * n + j];
        c[i * n + j] = sum;
    }
}
