// Sums of the columns, and of the rows, of a matrix.
__kernel void column_sums(__global const float *m, __global float *s, int rows, int cols)
{
    int c = get_global_id(0);
    if (c < cols) {
        float t = 0.0f;
        for (int r = 0; r < rows; r++)
            t += m[r * cols + c];
        s[c] = t;
    }
}

__kernel void row_sums(__global const float *m, __global float *s, int rows, int cols)
{
    int r = get_global_id(0);
    if (r < rows) {
        float t = 0.0f;
        for (int c = 0; c < cols; c++)
            t += m[r * cols + c];
        s[r] = t;
    }
}
