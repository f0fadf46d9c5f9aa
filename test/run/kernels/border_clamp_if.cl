// F20. A weighted 3 x 3 mask; subscripts are clamped by statements.
__kernel void border_clamp_if(__global const uchar *a, __global uchar *b, int w, int h)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    if (x >= w || y >= h)
        return;
    int sum = 0;
    for (int j = -1; j <= 1; j++)
        for (int i = -1; i <= 1; i++) {
            int xx = x + i;
            int yy = y + j;
            if (xx < 0)
                xx = 0;
            else if (xx >= w)
                xx = w - 1;
            if (yy < 0)
                yy = 0;
            if (yy > h - 1)
                yy = h - 1;
            sum += (2 - i * i) * (2 - j * j) * a[yy * w + xx];
        }
    b[y * w + x] = sum / 16;
}
