// Suppression of what is no maximum, and the double threshold.
__kernel void non_max_suppression(__global const float *mag, __global const uchar *dir, __global float *out, int w, int h)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1)
        return;
    int p = y * w + x;
    float m = mag[p];
    float a, b;
    switch (dir[p]) {
    case 0:
        a = mag[p - 1];
        b = mag[p + 1];
        break;
    case 1:
        a = mag[p - w + 1];
        b = mag[p + w - 1];
        break;
    case 2:
        a = mag[p - w];
        b = mag[p + w];
        break;
    default:
        a = mag[p - w - 1];
        b = mag[p + w + 1];
        break;
    }
    out[p] = (m >= a && m >= b) ? m : 0.0f;
}

__kernel void hysteresis(__global const float *in, __global uchar *out, int w, int h, float low, float high)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1)
        return;
    int p = y * w + x;
    float v = in[p];
    uchar r = 0;
    if (v >= high)
        r = 255;
    else if (v >= low) {
        for (int j = -1; j <= 1; j++)
            for (int i = -1; i <= 1; i++)
                if (in[p + j * w + i] >= high)
                    r = 255;
    }
    out[p] = r;
}
