// Column-major product with leading dimensions, B transposed.
__kernel void sgemm_nt(const int m, const int n, const int k, const float alpha, __global const float *restrict a,
                       const int lda, __global const float *restrict b, const int ldb, const float beta,
                       __global float *restrict c, const int ldc)
{
    const int row = get_global_id(0);
    const int col = get_global_id(1);
    if (row >= m || col >= n)
        return;
    float sum = 0.f;
    for (int p = 0; p < k; ++p)
        sum += a[row + p * lda] * b[col + p * ldb];
    c[row + col * ldc] = alpha * sum + beta * c[row + col * ldc];
}
