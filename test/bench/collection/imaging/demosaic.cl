// Bilinear demosaic of an RGGB mosaic of ushort.
__kernel void demosaic(__global const ushort *raw, __global ushort *rgb, int width, int height)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1)
        return;
    int p = y * width + x;
    int c = raw[p];
    int cross = (raw[p - 1] + raw[p + 1] + raw[p - width] + raw[p + width]) >> 2;
    int diag = (raw[p - width - 1] + raw[p - width + 1] + raw[p + width - 1] + raw[p + width + 1]) >> 2;
    int hor = (raw[p - 1] + raw[p + 1]) >> 1;
    int ver = (raw[p - width] + raw[p + width]) >> 1;
    int r, g, b;
    if ((y & 1) == 0) {
        if ((x & 1) == 0) { r = c; g = cross; b = diag; }
        else { r = hor; g = c; b = ver; }
    } else {
        if ((x & 1) == 0) { r = ver; g = c; b = hor; }
        else { r = diag; g = cross; b = c; }
    }
    rgb[3 * p + 0] = r;
    rgb[3 * p + 1] = g;
    rgb[3 * p + 2] = b;
}
