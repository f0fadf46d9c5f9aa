// Returns that depend on data, and a switch.
__kernel void return_switch(__global const float *size, __global const uchar *way, __global uchar *out, int w, int h,
                            float least)
{
    int x = get_global_id(0), y = get_global_id(1);
    int p = y * w + x;
    if (x >= w || y >= h)
        return;
    if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) {
        out[p] = 0;
        return;
    }
    float m = size[p];
    if (m < least) {
        out[p] = 1;
        return;
    }
    float a, b;
    switch (way[p] & 3) {
    case 0:
        a = size[p - 1];
        b = size[p + 1];
        break;
    case 1:
        a = size[p - w + 1];
        b = size[p + w - 1];
        break;
    case 2: {
        a = size[p - w];
        b = size[p + w];
        break;
    }
    default:
        a = size[p - w - 1];
        b = size[p + w + 1];
    }
    out[p] = m >= a && m >= b ? 255 : 2;
}
