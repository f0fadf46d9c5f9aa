// Threshold against the mean of a block.
#define BLOCK 11

__kernel void adaptive_threshold(__global const uchar *src, __global uchar *dst, int w, int h, int delta, uchar maxval)
{
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= w || y >= h)
        return;
    int sum = 0;
    for (int j = -BLOCK / 2; j <= BLOCK / 2; j++)
        for (int i = -BLOCK / 2; i <= BLOCK / 2; i++)
            sum += src[clamp(y + j, 0, h - 1) * w + clamp(x + i, 0, w - 1)];
    int mean = sum / (BLOCK * BLOCK);
    dst[y * w + x] = src[y * w + x] > mean - delta ? maxval : 0;
}
