// Weighted sum of interleaved bytes in fixed point.
enum { yuv_shift = 14, R2Y = 4899, G2Y = 9617, B2Y = 1868 };

__kernel void rgb2gray(__global const uchar *src, int src_step, __global uchar *dst, int dst_step, int rows, int cols)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    if (x < cols && y < rows) {
        __global const uchar *p = src + y * src_step + x * 3;
        dst[y * dst_step + x] = (uchar)((p[0] * R2Y + p[1] * G2Y + p[2] * B2Y + (1 << (yuv_shift - 1))) >> yuv_shift);
    }
}
