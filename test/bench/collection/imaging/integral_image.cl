// Integral image: sums along rows, then down the columns.
__kernel void integral_rows(__global const uchar *src, __global int *sum, int rows, int cols)
{
    int y = get_global_id(0);
    if (y < rows) {
        int acc = 0;
        for (int x = 0; x < cols; x++) {
            acc += src[y * cols + x];
            sum[y * cols + x] = acc;
        }
    }
}

__kernel void integral_cols(__global int *sum, int rows, int cols)
{
    int x = get_global_id(0);
    if (x < cols) {
        int acc = 0;
        for (int y = 0; y < rows; y++) {
            acc += sum[y * cols + x];
            sum[y * cols + x] = acc;
        }
    }
}
