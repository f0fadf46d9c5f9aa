// A square of weights over an image of bytes; the result is smaller by the border.
__kernel void conv2d_weights(__global const uchar *restrict image, __global const float *restrict weight,
                             __global float *restrict out, int w, int h, int k)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    if (x < w - k + 1 && y < h - k + 1) {
        float sum = 0.0f;
        for (int v = 0; v < k; v++)
            for (int u = 0; u < k; u++)
                sum += image[(y + v) * w + x + u] * weight[v * k + u];
        out[y * w + x] = sum;
    }
}
