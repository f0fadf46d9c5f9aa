// Leading dimensions larger than the matrices, column by column as in BLAS.
__kernel void matmul_column_major(__global const float *restrict a, int lda, __global const float *restrict b,
                                  int ldb, __global float *restrict c, int ldc, int m, int n, int k)
{
    int i = get_global_id(0);
    int j = get_global_id(1);
    if (i < m && j < n) {
        float sum = 0.0f;
        for (int l = 0; l < k; l++)
            sum += a[l * lda + i] * b[j * ldb + l];
        c[j * ldc + i] = sum;
    }
}
