// One product per layer of the NDRange.
__kernel void matmul_batched(__global const float *restrict a, __global const float *restrict b,
                             __global float *restrict c, int batches, int m, int n, int k)
{
    const int j = get_global_id(0);
    const int i = get_global_id(1);
    const int s = get_global_id(2);
    if (s >= batches || i >= m || j >= n)
        return;
    float sum = c[(s * m + i) * n + j];
    for (int l = 0; l < k; l++)
        sum += a[(s * m + i) * k + l] * b[(s * k + l) * n + j];
    c[(s * m + i) * n + j] = sum;
}
