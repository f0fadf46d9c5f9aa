// Second-order wave equation, fourth order in space, two time levels.
#define C0 (-2.5f)
#define C1 (1.3333334f)
#define C2 (-0.083333336f)

__kernel void wave2d(__global const float *cur, __global float *prev, __global const float *vel, int w, int h, float dtdx)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    if (x < 2 || y < 2 || x >= w - 2 || y >= h - 2)
        return;
    int p = y * w + x;
    float lx = C0 * cur[p] + C1 * (cur[p - 1] + cur[p + 1]) + C2 * (cur[p - 2] + cur[p + 2]);
    float ly = C0 * cur[p] + C1 * (cur[p - w] + cur[p + w]) + C2 * (cur[p - 2 * w] + cur[p + 2 * w]);
    float v = vel[p] * dtdx;
    prev[p] = 2.0f * cur[p] - prev[p] + v * v * (lx + ly);
}
