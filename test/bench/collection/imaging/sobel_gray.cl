// Gradient magnitude of bytes.
__kernel void sobel(__global const uchar *src, __global uchar *dst, int width, int height)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    if (x >= 1 && x < width - 1 && y >= 1 && y < height - 1) {
        int i00 = src[(y - 1) * width + x - 1], i10 = src[(y - 1) * width + x], i20 = src[(y - 1) * width + x + 1];
        int i01 = src[y * width + x - 1], i21 = src[y * width + x + 1];
        int i02 = src[(y + 1) * width + x - 1], i12 = src[(y + 1) * width + x], i22 = src[(y + 1) * width + x + 1];
        int gx = i00 + 2 * i01 + i02 - i20 - 2 * i21 - i22;
        int gy = i00 + 2 * i10 + i20 - i02 - 2 * i12 - i22;
        float mag = sqrt((float)(gx * gx + gy * gy)) * 0.5f;
        dst[y * width + x] = convert_uchar_sat(mag);
    }
}
