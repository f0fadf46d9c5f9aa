// Means of windows; the divisor counts what lies inside.
__kernel void avg_pool(__global const float *in, __global float *out, const int ih, const int iw, const int oh, const int ow,
                       const int channels, const int k, const int s, const int p)
{
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    const int c = get_global_id(2);
    if (x >= ow || y >= oh || c >= channels)
        return;
    const int y0 = max(y * s - p, 0), y1 = min(y * s - p + k, ih);
    const int x0 = max(x * s - p, 0), x1 = min(x * s - p + k, iw);
    float sum = 0.0f;
    for (int yy = y0; yy < y1; yy++)
        for (int xx = x0; xx < x1; xx++)
            sum += in[(c * ih + yy) * iw + xx];
    out[(c * oh + y) * ow + x] = sum / ((y1 - y0) * (x1 - x0));
}
