// B := alpha A^T B with a unit lower triangle, into another array.
__kernel void trmm(int m, int n, float alpha, __global const float *A, __global const float *B, __global float *out)
{
    int j = get_global_id(0);
    int i = get_global_id(1);
    if (i < m && j < n) {
        float sum = B[i * n + j];
        for (int k = i + 1; k < m; k++)
            sum += A[k * m + i] * B[k * n + j];
        out[i * n + j] = alpha * sum;
    }
}
