// Channels from planes to the innermost dimension.
__kernel void nchw_to_nhwc(__global const float *in, __global float *out, int C, int H, int W)
{
    int w = get_global_id(0);
    int h = get_global_id(1);
    int c = get_global_id(2);
    if (w < W && h < H && c < C)
        out[(h * W + w) * C + c] = in[(c * H + h) * W + w];
}
