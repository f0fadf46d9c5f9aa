// Colours at half the resolution: rows of w / 2.
__kernel void quotient_rows(__global const uchar *luma, __global const uchar *colour, __global int *out, int w, int h)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= w || y >= h)
        return;
    int c = colour[(y / 2) * (w / 2) + x / 2] - 128;
    out[y * w + x] = luma[y * w + x] + ((359 * c) >> 8);
}
