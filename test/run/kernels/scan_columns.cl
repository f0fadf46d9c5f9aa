// Running sums and maxima down the columns.
__kernel void scan_columns(__global const float *restrict a, __global float *restrict sums,
                           __global float *restrict highest, int w, int h)
{
    int x = get_global_id(0);
    if (x >= w)
        return;
    float sum = 0.0f, top = -INFINITY;
    for (int y = 0; y < h; y++) {
        sum += a[y * w + x];
        top = fmax(top, a[y * w + x]);
        sums[y * w + x] = sum;
        highest[y * w + x] = top;
    }
}
