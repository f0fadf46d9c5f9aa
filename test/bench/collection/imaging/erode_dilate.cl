// Minimum and maximum over a window; what lies outside is left out.
#ifndef RX
#define RX 2
#endif
#ifndef RY
#define RY 3
#endif

__kernel void erode(__global const uchar *src, __global uchar *dst, int cols, int rows)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    if (x >= cols || y >= rows)
        return;
    uchar v = 255;
    for (int j = max(y - RY, 0); j <= min(y + RY, rows - 1); j++)
        for (int i = max(x - RX, 0); i <= min(x + RX, cols - 1); i++)
            v = min(v, src[j * cols + i]);
    dst[y * cols + x] = v;
}

__kernel void dilate(__global const uchar *src, __global uchar *dst, int cols, int rows)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    if (x >= cols || y >= rows)
        return;
    uchar v = 0;
    for (int j = -RY; j <= RY; j++)
        for (int i = -RX; i <= RX; i++) {
            int xx = x + i, yy = y + j;
            if (xx >= 0 && xx < cols && yy >= 0 && yy < rows)
                v = max(v, src[yy * cols + xx]);
        }
    dst[y * cols + x] = v;
}
