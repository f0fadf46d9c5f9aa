// Lucas-Kanade in a window: sums of products of derivatives.
#define WIN 4

__kernel void lucas_kanade(__global const float *Ix, __global const float *Iy, __global const float *It,
                           __global float2 *flow, int w, int h)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    if (x < WIN || y < WIN || x >= w - WIN || y >= h - WIN)
        return;
    float a = 0.0f, b = 0.0f, c = 0.0f, d = 0.0f, e = 0.0f;
    for (int j = -WIN; j <= WIN; j++)
        for (int i = -WIN; i <= WIN; i++) {
            int p = (y + j) * w + x + i;
            float gx = Ix[p], gy = Iy[p], gt = It[p];
            a += gx * gx;
            b += gx * gy;
            c += gy * gy;
            d += gx * gt;
            e += gy * gt;
        }
    float det = a * c - b * b;
    float2 r = (float2)(0.0f);
    if (fabs(det) > 1e-6f)
        r = (float2)((b * e - c * d) / det, (b * d - a * e) / det);
    flow[y * w + x] = r;
}
