// Gradients of bytes, with an early return at the border and a saturated sum.
__kernel void gradient_edges(__global const uchar *src, __global uchar *dst, int w, int h)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1)
        return;
    int gx = src[(y - 1) * w + x + 1] + 2 * src[y * w + x + 1] + src[(y + 1) * w + x + 1]
           - src[(y - 1) * w + x - 1] - 2 * src[y * w + x - 1] - src[(y + 1) * w + x - 1];
    int gy = src[(y + 1) * w + x - 1] + 2 * src[(y + 1) * w + x] + src[(y + 1) * w + x + 1]
           - src[(y - 1) * w + x - 1] - 2 * src[(y - 1) * w + x] - src[(y - 1) * w + x + 1];
    int m = abs(gx) + abs(gy);
    dst[y * w + x] = (uchar)(m > 255 ? 255 : m);
}
