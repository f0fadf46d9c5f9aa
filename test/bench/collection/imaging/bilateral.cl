// Weights of distance and of colour, radius at run time.
__kernel void bilateral(__global const float *in, __global float *out, __global const float *spatial, int width,
                        int height, int radius, float inv_sigma2)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    if (x >= width || y >= height)
        return;
    int d = 2 * radius + 1;
    float center = in[y * width + x];
    float sum = 0.0f, norm = 0.0f;
    for (int j = -radius; j <= radius; j++)
        for (int i = -radius; i <= radius; i++) {
            int xx = min(max(x + i, 0), width - 1);
            int yy = min(max(y + j, 0), height - 1);
            float v = in[yy * width + xx];
            float diff = v - center;
            float w = spatial[(j + radius) * d + i + radius] * native_exp(-diff * diff * inv_sigma2);
            sum += w * v;
            norm += w;
        }
    out[y * width + x] = sum / norm;
}
