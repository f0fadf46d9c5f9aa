// Brightness for every pixel, colour for blocks of two by two: to packed bytes, in whole numbers.
__kernel void planes_to_pixels(__global const uchar *light, __global const uchar *blue, __global const uchar *red,
                               __global uchar *restrict pixel, int w, int h)
{
    const int x = get_global_id(0), y = get_global_id(1);
    if (x >= w || y >= h)
        return;
    int block = y / 2 * (w / 2) + x / 2;
    int value = light[y * w + x], b = blue[block] - 128, r = red[block] - 128;
    int at = (y * w + x) * 3;
    pixel[at] = convert_uchar_sat(value + ((359 * r) >> 8));
    pixel[at + 1] = convert_uchar_sat(value - ((88 * b + 183 * r) >> 8));
    pixel[at + 2] = convert_uchar_sat(value + ((454 * b) >> 8));
}
