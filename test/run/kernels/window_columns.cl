// Walks down the columns of an image, then up, with the rows around each cell.
__kernel void window_columns(__global const float *a, __global float *b, __global float *c, int w, int h)
{
    int x = get_global_id(0);
    if (x < 1 || x >= w - 1)
        return;
    for (int y = 1; y < h - 1; y++)
        b[y * w + x] = 0.25f * a[(y - 1) * w + x] + 0.5f * a[y * w + x] + 0.25f * a[(y + 1) * w + x] + a[y * w + x - 1] - a[y * w + x + 1];
    for (int y = h - 3; y >= 0; y--)
        c[y * w + x] = a[y * w + x] * a[(y + 2) * w + x] - a[(y + 1) * w + x];
}
