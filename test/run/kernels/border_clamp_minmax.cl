// A running mean with a radius from a macro; the ends are repeated.
#ifndef RADIUS
#define RADIUS 3
#endif

__kernel void border_clamp_minmax(__global const float *a, __global float *b, int n)
{
    int x = get_global_id(0);
    if (x >= n)
        return;
    float sum = 0.0f;
    for (int i = -RADIUS; i <= RADIUS; i++)
        sum += a[min(max(x + i, 0), n - 1)];
    b[x] = sum / (2 * RADIUS + 1);
}
