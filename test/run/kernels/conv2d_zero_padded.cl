// Cells outside the image count as zero: a condition inside the loops cuts the window.
__kernel void conv2d_zero_padded(__global const float *restrict image, __constant float *weight,
                                 __global float *restrict out, int w, int h)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    if (x >= w || y >= h)
        return;
    float sum = 0.0f;
    for (int v = -2; v <= 2; v++)
        for (int u = -2; u <= 2; u++)
            if (y + v >= 0 && y + v < h && x + u >= 0 && x + u < w)
                sum += image[(y + v) * w + x + u] * weight[(v + 2) * 5 + u + 2];
    out[y * w + x] = sum;
}
