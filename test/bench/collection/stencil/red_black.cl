// A sweep over the cells of one colour, in place.
__kernel void red_black_gs(__global float *u, __global const float *f, int w, int h, int colour, float h2)
{
    int i = get_global_id(0) + 1;
    int j = get_global_id(1) + 1;
    if (i >= w - 1 || j >= h - 1)
        return;
    if (((i + j) & 1) != colour)
        return;
    int c = j * w + i;
    u[c] = 0.25f * (u[c - 1] + u[c + 1] + u[c - w] + u[c + w] - h2 * f[c]);
}
