// Census transform of 5 x 5, and Hamming distances as a cost volume.
__kernel void census(__global const uchar *img, __global uint *out, int w, int h)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    if (x < 2 || y < 2 || x >= w - 2 || y >= h - 2)
        return;
    uchar c = img[y * w + x];
    uint bits = 0;
    for (int j = -2; j <= 2; j++)
        for (int i = -2; i <= 2; i++)
            if (i != 0 || j != 0)
                bits = (bits << 1) | (img[(y + j) * w + x + i] < c);
    out[y * w + x] = bits;
}

__kernel void hamming_cost(__global const uint *cl, __global const uint *cr, __global uchar *cost, int w, int h, int D)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    int d = get_global_id(2);
    if (x >= w || y >= h || d >= D)
        return;
    uchar c = 255;
    if (x >= d)
        c = popcount(cl[y * w + x] ^ cr[y * w + x - d]);
    cost[(y * w + x) * D + d] = c;
}
