// A layer of a network: three loops reduce over channels and window, three dimensions are parallel.
__kernel void conv_channels(__global const float *restrict in, __global const float *restrict weight,
                            __global const float *restrict bias, __global float *restrict out, int w, int h,
                            int channels, int filters)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    int f = get_global_id(2);
    if (x < w && y < h && f < filters) {
        float sum = bias[f];
        for (int c = 0; c < channels; c++)
            for (int v = 0; v < 3; v++)
                for (int u = 0; u < 3; u++)
                    sum += in[(c * (h + 2) + y + v) * (w + 2) + x + u] * weight[((f * channels + c) * 3 + v) * 3 + u];
        out[(f * h + y) * w + x] = fmax(sum, 0.0f);
    }
}
