// The nearest entry of a palette of bytes for every pixel, with the distance.
__kernel void nearest_pixel_color(__global const uchar4 *restrict pixel, __global const uchar4 *restrict palette,
                                  __global uchar *restrict index, int w, int h, int colors)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    if (x >= w || y >= h)
        return;
    int best = INT_MAX;
    uchar found = 0;
    for (int c = 0; c < colors; c++) {
        int r = pixel[y * w + x].x - palette[c].x;
        int g = pixel[y * w + x].y - palette[c].y;
        int b = pixel[y * w + x].z - palette[c].z;
        int d = r * r + g * g + b * b;
        found = d < best ? (uchar)c : found;
        best = min(d, best);
    }
    index[y * w + x] = found;
}
