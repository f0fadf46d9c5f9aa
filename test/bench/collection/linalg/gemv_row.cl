// y = alpha A x + beta y, one row per work-item.
__kernel void gemv(__global const float *A, __global const float *x, __global float *y, float alpha, float beta, int rows,
                   int cols)
{
    int row = get_global_id(0);
    if (row < rows) {
        float sum = 0.0f;
        for (int col = 0; col < cols; col++)
            sum += A[row * cols + col] * x[col];
        y[row] = alpha * sum + beta * y[row];
    }
}
