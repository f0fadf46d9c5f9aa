// A filter with weights of any radius; pixels outside the image count as those at its border.
__kernel void border_window(__global const float *in, __global float *out, __constant float *weight,
                            int w, int h, int r)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= w || y >= h)
        return;
    float sum = 0.0f;
    for (int v = -r; v <= r; v++)
        for (int u = -r; u <= r; u++) {
            int xx = clamp(x + u, 0, w - 1), yy = clamp(y + v, 0, h - 1);
            sum += in[yy * w + xx] * weight[(v + r) * (2 * r + 1) + u + r];
        }
    out[y * w + x] = sum;
}
