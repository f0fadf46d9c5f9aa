// Gaussian with a runtime radius in two passes, clamped.
__kernel void gaussian_rows(__global const float *src, __global float *dst, __constant float *weights, int radius,
                            int width, int height)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    if (x >= width || y >= height)
        return;
    float sum = 0.0f;
    for (int i = -radius; i <= radius; i++) {
        int xx = clamp(x + i, 0, width - 1);
        sum += weights[i + radius] * src[y * width + xx];
    }
    dst[y * width + x] = sum;
}

__kernel void gaussian_cols(__global const float *src, __global float *dst, __constant float *weights, int radius,
                            int width, int height)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    if (x >= width || y >= height)
        return;
    float sum = 0.0f;
    for (int i = -radius; i <= radius; i++) {
        int yy = clamp(y + i, 0, height - 1);
        sum += weights[i + radius] * src[yy * width + x];
    }
    dst[y * width + x] = sum;
}
