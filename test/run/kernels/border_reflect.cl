// F20. Five points across, reflected at the borders.
__kernel void border_reflect(__global const float *a, __global float *b, int w, int h)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    if (x >= w || y >= h || w < 3)
        return;
    float sum = 0.0f;
    for (int i = -2; i <= 2; i++) {
        int xx = x + i;
        if (xx < 0)
            xx = -xx;
        if (xx >= w)
            xx = 2 * w - 2 - xx;
        sum += (3 - abs(i)) * a[y * w + xx];
    }
    b[y * w + x] = sum;
}
