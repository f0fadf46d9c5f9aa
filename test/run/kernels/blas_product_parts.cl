// Parts of larger matrices: the offsets are added to the arguments.
__kernel void blas_product_parts(int m, int n, int k, __global const float *A, int offA, int lda,
                                 __global const float *B, int offB, int ldb, __global float *C,
                                 int offC, int ldc)
{
    const int i = get_global_id(0);
    const int j = get_global_id(1);
    A += offA;
    B += offB;
    C += offC;
    if (i < m && j < n) {
        for (int p = 0; p < k; p++)
            C[i + j * ldc] += A[i + p * lda] * B[p + j * ldb];
    }
}
