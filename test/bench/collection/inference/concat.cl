// Two inputs with different numbers of channels, NHWC.
__kernel void concat_channels(__global const float *a, __global const float *b, __global float *out, int ca, int cb, int pixels)
{
    int c = get_global_id(0);
    int p = get_global_id(1);
    int co = ca + cb;
    if (c >= co || p >= pixels)
        return;
    if (c < ca)
        out[p * co + c] = a[p * ca + c];
    else
        out[p * co + c] = b[p * cb + c - ca];
}
