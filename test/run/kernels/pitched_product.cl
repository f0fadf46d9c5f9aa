// A product of matrices in buffers of bytes, whose rows are as far apart as the host says.
__kernel void pitched_product(__global const float *a, ulong a_from, ulong a_pitch, __global const uchar *b, int b_pitch,
                              __global uchar *c, int c_pitch, int rows, int cols, int n)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= cols || y >= rows)
        return;
    a = (__global const float *)((__global const char *)a + a_from);
    __global const float *row = (__global const float *)((__global const char *)a + y * a_pitch);
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += row[k] * *(__global const float *)(b + k * b_pitch + x * 4);
    __global float *out = (__global float *)(c + y * c_pitch) + x;
    *out = sum;
}
