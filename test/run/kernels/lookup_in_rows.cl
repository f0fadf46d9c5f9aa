// Four rows for each work-item: neighbours run different iterations.
__kernel void lookup_in_rows(__global const uchar *src, __global uchar *dst, __constant uchar *lut, int rows, int cols, int step)
{
    int x = get_global_id(0) * 3;
    int y0 = get_global_id(1) * 4;
    if (x >= cols * 3) return;
    for (int y = y0, y1 = min(y0 + 4, rows); y < y1; ++y) {
        int idx = mad24(y, step, x);
        dst[idx] = lut[src[idx] * 3];
        dst[idx + 1] = lut[src[idx + 1] * 3 + 1];
        dst[idx + 2] = lut[src[idx + 2] * 3 + 2];
    }
}
