// F12. Neighbours of whole pixels, repeated at the borders.
__kernel void stencil_pixels(__global const float4 *a, __global float4 *b, int w, int h)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    if (x >= w || y >= h)
        return;
    float4 sum = (float4)(0.0f);
    for (int j = -1; j <= 1; j++)
        for (int i = -1; i <= 1; i++)
            sum += (float)(2 - i * i) * a[clamp(y + j, 0, h - 1) * w + clamp(x + i, 0, w - 1)];
    b[y * w + x] = sum;
}
