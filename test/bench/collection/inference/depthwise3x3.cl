// Depthwise 3 x 3 with padding of one.
__kernel void depthwise_conv3x3(__global const float *input, __global const float *weight, __global const float *bias,
                                __global float *output, const int channels, const int height, const int width)
{
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    const int c = get_global_id(2);
    if (x >= width || y >= height || c >= channels)
        return;
    float sum = bias[c];
    for (int ky = -1; ky <= 1; ky++)
        for (int kx = -1; kx <= 1; kx++) {
            int yy = y + ky;
            int xx = x + kx;
            float v = (yy >= 0 && yy < height && xx >= 0 && xx < width) ? input[(c * height + yy) * width + xx] : 0.0f;
            sum += v * weight[c * 9 + (ky + 1) * 3 + kx + 1];
        }
    output[(c * height + y) * width + x] = clamp(sum, 0.0f, 6.0f);
}
