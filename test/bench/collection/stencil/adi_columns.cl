// Alternating directions: forward and backward sweeps along the rows and down the columns.
typedef float DATA_TYPE;

__kernel void adi_rows(__global DATA_TYPE *A, __global DATA_TYPE *B, __global DATA_TYPE *X, int n)
{
    int i1 = get_global_id(0);
    if (i1 < n) {
        for (int i2 = 1; i2 < n; i2++) {
            X[i1 * n + i2] = X[i1 * n + i2] - X[i1 * n + (i2 - 1)] * A[i1 * n + i2] / B[i1 * n + (i2 - 1)];
            B[i1 * n + i2] = B[i1 * n + i2] - A[i1 * n + i2] * A[i1 * n + i2] / B[i1 * n + (i2 - 1)];
        }
        X[i1 * n + (n - 1)] = X[i1 * n + (n - 1)] / B[i1 * n + (n - 1)];
        for (int i2 = 0; i2 < n - 2; i2++)
            X[i1 * n + (n - i2 - 2)] = (X[i1 * n + (n - 2 - i2)] - X[i1 * n + (n - 2 - i2 - 1)] * A[i1 * n + (n - i2 - 3)]) /
                                       B[i1 * n + (n - 3 - i2)];
    }
}

__kernel void adi_cols(__global DATA_TYPE *A, __global DATA_TYPE *B, __global DATA_TYPE *X, int n)
{
    int i2 = get_global_id(0);
    if (i2 < n)
        for (int i1 = 1; i1 < n; i1++) {
            X[i1 * n + i2] = X[i1 * n + i2] - X[(i1 - 1) * n + i2] * A[i1 * n + i2] / B[(i1 - 1) * n + i2];
            B[i1 * n + i2] = B[i1 * n + i2] - A[i1 * n + i2] * A[i1 * n + i2] / B[(i1 - 1) * n + i2];
        }
}
