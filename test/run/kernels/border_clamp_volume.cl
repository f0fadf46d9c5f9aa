// Seven points of a volume; clamp() keeps the subscripts inside.
__kernel void border_clamp_volume(__global const float *a, __global float *b, int w, int h, int d)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    int z = get_global_id(2);
    if (x >= w || y >= h || z >= d)
        return;
    float sum = -6.0f * a[(z * h + y) * w + x];
    for (int s = -1; s <= 1; s += 2) {
        sum += a[(z * h + y) * w + clamp(x + s, 0, w - 1)];
        sum += a[(z * h + clamp(y + s, 0, h - 1)) * w + x];
        sum += a[(clamp(z + s, 0, d - 1) * h + y) * w + x];
    }
    b[(z * h + y) * w + x] = sum;
}
