// Twice as large: four neighbours of the small image at alternate the index, weights in integers.
__kernel void enlarge_integer(__global const uchar *restrict small, __global uchar *restrict large, int w, int h)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    if (x < 2 * w && y < 2 * h) {
        int x0 = x >> 1, y0 = y >> 1;
        int x1 = min(x0 + 1, w - 1), y1 = min(y0 + 1, h - 1);
        int fx = x & 1, fy = y & 1;
        int top = small[y0 * w + x0] * (2 - fx) + small[y0 * w + x1] * fx;
        int bottom = small[y1 * w + x0] * (2 - fx) + small[y1 * w + x1] * fx;
        large[y * 2 * w + x] = (uchar)((top * (2 - fy) + bottom * fy + 2) >> 2);
    }
}
