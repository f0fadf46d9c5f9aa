// Corner response from products of derivatives that a window sums.
__kernel void harris(__global const float *gx, __global const float *gy, __global float *resp, int w, int h, int r, float k)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    if (x < r || y < r || x >= w - r || y >= h - r)
        return;
    float sxx = 0, syy = 0, sxy = 0;
    for (int j = -r; j <= r; j++)
        for (int i = -r; i <= r; i++) {
            float dx = gx[(y + j) * w + (x + i)];
            float dy = gy[(y + j) * w + (x + i)];
            sxx += dx * dx;
            syy += dy * dy;
            sxy += dx * dy;
        }
    resp[y * w + x] = sxx * syy - sxy * sxy - k * (sxx + syy) * (sxx + syy);
}
