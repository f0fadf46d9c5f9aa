// Rows of floats in buffers of bytes, with a step and an offset of the host.
__kernel void floats_in_bytes(__global const uchar *src, int step, int off, __global uchar *dst, int dst_step, int dst_off,
                              int rows, int cols)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= cols || y >= rows)
        return;
    float sum = 0;
    for (int i = 0; i < 5; i++)
        sum += *(__global const float *)(src + off + i * step + x * sizeof(float));
    __global float *row = (__global float *)(dst + dst_off + y * dst_step + x * sizeof(float));
    *row = sum;
}
