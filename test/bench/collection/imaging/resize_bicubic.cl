// Bicubic scaling by one factor; taps clamped.
inline float cubic(float x)
{
    x = fabs(x);
    if (x <= 1.0f)
        return (1.5f * x - 2.5f) * x * x + 1.0f;
    if (x < 2.0f)
        return ((-0.5f * x + 2.5f) * x - 4.0f) * x + 2.0f;
    return 0.0f;
}

__kernel void bicubic(__global const float *in, __global float *out, int iw, int ih, int ow, int oh, float scale)
{
    int ox = get_global_id(0), oy = get_global_id(1);
    if (ox >= ow || oy >= oh)
        return;
    float fx = ox * scale, fy = oy * scale;
    int ix = (int)fx, iy = (int)fy;
    float sum = 0.0f;
    for (int m = -1; m <= 2; m++) {
        int yy = clamp(iy + m, 0, ih - 1);
        float wy = cubic(fy - (iy + m));
        for (int n = -1; n <= 2; n++) {
            int xx = clamp(ix + n, 0, iw - 1);
            sum += wy * cubic(fx - (ix + n)) * in[yy * iw + xx];
        }
    }
    out[oy * ow + ox] = sum;
}
