// A part of a matrix with pitches into a dense one, and back to structures.
__kernel void copy_rect(__global const float *src, int src_pitch, int src_x, int src_y, __global float *dst, int w, int h)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    if (x < w && y < h)
        dst[y * w + x] = src[(y + src_y) * src_pitch + x + src_x];
}

__kernel void gather_stride(__global const float *src, __global float *dst, int n, int stride)
{
    int i = get_global_id(0);
    if (i < n)
        dst[i] = src[i * stride];
}
