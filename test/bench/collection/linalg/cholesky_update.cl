// Trailing update of a blocked Cholesky factorization with NB columns: A22 -= L21 L21^T, lower part.
#define NB 32

__kernel void chol_syrk(__global float *A, const int k0, const int n)
{
    const int base = k0 + NB;
    const int j = base + get_global_id(0);
    const int i = base + get_global_id(1);
    if (i >= n || j > i)
        return;
    float v = A[i * n + j];
    for (int k = 0; k < NB; k++)
        v -= A[i * n + k0 + k] * A[j * n + k0 + k];
    A[i * n + j] = v;
}
