// Median of nine bytes by exchanges.
#define SWAP(a, b) { uchar t = min(a, b); b = max(a, b); a = t; }

__kernel void median3x3(__global const uchar *src, int src_step, __global uchar *dst, int dst_step, int rows, int cols)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    if (x >= cols || y >= rows)
        return;
    int y0 = max(y - 1, 0) * src_step, y1 = y * src_step, y2 = min(y + 1, rows - 1) * src_step;
    int x0 = max(x - 1, 0), x2 = min(x + 1, cols - 1);
    uchar p0 = src[y0 + x0], p1 = src[y0 + x], p2 = src[y0 + x2];
    uchar p3 = src[y1 + x0], p4 = src[y1 + x], p5 = src[y1 + x2];
    uchar p6 = src[y2 + x0], p7 = src[y2 + x], p8 = src[y2 + x2];
    SWAP(p1, p2); SWAP(p4, p5); SWAP(p7, p8);
    SWAP(p0, p1); SWAP(p3, p4); SWAP(p6, p7);
    SWAP(p1, p2); SWAP(p4, p5); SWAP(p7, p8);
    SWAP(p0, p3); SWAP(p5, p8); SWAP(p4, p7);
    SWAP(p3, p6); SWAP(p1, p4); SWAP(p2, p5);
    SWAP(p4, p7); SWAP(p4, p2); SWAP(p6, p4);
    SWAP(p4, p2);
    dst[y * dst_step + x] = p4;
}
