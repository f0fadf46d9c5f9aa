// A matrix of diagonals.
__kernel void spmv_dia(const int rows, const int ndiags, __global const int *offsets, __global const float *data,
                       __global const float *x, __global float *y)
{
    int row = get_global_id(0);
    if (row >= rows)
        return;
    float dot = 0.0f;
    for (int n = 0; n < ndiags; n++) {
        int col = row + offsets[n];
        if (col >= 0 && col < rows)
            dot += data[n * rows + row] * x[col];
    }
    y[row] += dot;
}
