// A window as wide as the whole part of a floating-point argument.
__kernel void whole_radius(__global const float *in, __global float *out, int w, int h, float radius)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    if (x >= w || y >= h)
        return;
    int r = (int)radius;
    float sum = 0;
    for (int j = -r; j <= r; j++)
        for (int i = -r; i <= r; i++)
            sum += in[(y + r + j) * (w + 2 * r) + x + r + i];
    out[y * w + x] = sum / (radius + 1.0f);
}
