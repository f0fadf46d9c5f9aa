// Matrix, vector and result are the same buffer.
__kernel void alias_gemv(__global float *A, __global float *x, __global float *y, int n, int m)
{
    int i = get_global_id(0);
    if (i < n) {
        y[i] = 0;
        for (int j = 0; j < m; j++) y[i] += A[j * n + i] * x[j * n + i];
    }
}
