// Place of the largest value of a row.
__kernel void argmax_rows(__global const float *x, __global int *out, int rows, int cols)
{
    int r = get_global_id(0);
    if (r < rows) {
        float best = x[r * cols];
        int at = 0;
        for (int c = 1; c < cols; c++)
            if (x[r * cols + c] > best) {
                best = x[r * cols + c];
                at = c;
            }
        out[r] = at;
    }
}
