// Quarter turn of a picture of uchar4.
__kernel void rotate90(__global const uchar4 *src, __global uchar4 *dst, const int w, const int h)
{
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x < w && y < h)
        dst[x * h + (h - 1 - y)] = src[y * w + x];
}
