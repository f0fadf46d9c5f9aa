// F20. Zero beyond the border: conditional expressions that guard loads.
__kernel void border_zero(__global const short *a, __global short *b, int w, int h)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    if (x >= w || y >= h)
        return;
    short left = x > 0 ? a[y * w + x - 1] : 0;
    short right = x < w - 1 ? a[y * w + x + 1] : 0;
    short up = y > 0 ? a[(y - 1) * w + x] : 0;
    short down = y < h - 1 ? a[(y + 1) * w + x] : 0;
    b[y * w + x] = (left + right + up + down) / 4;
}
