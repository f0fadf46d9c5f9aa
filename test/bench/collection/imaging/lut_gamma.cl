// A table per channel, bytes of an interleaved picture.
__kernel void apply_lut(__global const uchar *src, __global uchar *dst, __constant uchar *lut, int cols, int rows, int cn)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    if (x < cols * cn && y < rows)
        dst[y * cols * cn + x] = lut[(x % cn) * 256 + src[y * cols * cn + x]];
}
