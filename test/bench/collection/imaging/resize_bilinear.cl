// Bilinear scaling of uchar pixels with several channels.
__kernel void resize_linear(__global const uchar *src, int src_w, int src_h, __global uchar *dst, int dst_w, int dst_h,
                            int cn, float ifx, float ify)
{
    int dx = get_global_id(0);
    int dy = get_global_id(1);
    if (dx < dst_w && dy < dst_h) {
        float sx = (dx + 0.5f) * ifx - 0.5f, sy = (dy + 0.5f) * ify - 0.5f;
        int x = (int)floor(sx), y = (int)floor(sy);
        float u = sx - x, v = sy - y;
        if (x < 0) { x = 0; u = 0; }
        if (x >= src_w) { x = src_w - 1; u = 0; }
        if (y < 0) { y = 0; v = 0; }
        if (y >= src_h) { y = src_h - 1; v = 0; }
        int x1 = min(x + 1, src_w - 1), y1 = min(y + 1, src_h - 1);
        for (int c = 0; c < cn; c++) {
            float a = src[(y * src_w + x) * cn + c], b = src[(y * src_w + x1) * cn + c];
            float d = src[(y1 * src_w + x) * cn + c], e = src[(y1 * src_w + x1) * cn + c];
            float r = (1 - v) * ((1 - u) * a + u * b) + v * ((1 - u) * d + u * e);
            dst[(dy * dst_w + dx) * cn + c] = convert_uchar_sat_rte(r);
        }
    }
}
