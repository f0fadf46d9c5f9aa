// Rows that are swept forwards, and backwards with a counter that goes up.
__kernel void forwards(__global float *A, __global float *B, __global float *X, int n)
{
    int row = get_global_id(0);
    int i;
    if (row < n) {
        for (i = 1; i < n; i++) {
            X[row * n + i] = X[row * n + i] - X[row * n + (i - 1)] * A[row * n + i] / B[row * n + (i - 1)];
            B[row * n + i] = B[row * n + i] - A[row * n + i] * A[row * n + i] / B[row * n + (i - 1)];
        }
    }
}

__kernel void backwards(__global float *A, __global float *B, __global float *X, int n)
{
    int row = get_global_id(0);
    int i;
    if (row < n) {
        for (i = 0; i < n - 2; i++) {
            X[row * n + (n - i - 2)] =
                (X[row * n + (n - 2 - i)] - X[row * n + (n - 2 - i - 1)] * A[row * n + (n - i - 3)]) /
                B[row * n + (n - 3 - i)];
        }
    }
}

// One row from the one below it.
__kernel void upwards(__global float *A, __global float *B, __global float *X, int row, int n)
{
    int i = get_global_id(0);
    if (i < n) {
        X[(n - 2 - row) * n + i] = (X[(n - 2 - row) * n + i] - X[(n - row - 3) * n + i] * A[(n - 3 - row) * n + i]) /
                                   B[(n - 2 - row) * n + i];
    }
}
