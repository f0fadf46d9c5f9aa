// Three time levels of a wave, with a halo of two and a coefficient per cell.
__kernel void wave2d(__global const double *restrict now, __global double *restrict next,
                     __global const double *restrict speed, int w, int h)
{
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x < 2 || y < 2 || x >= w - 2 || y >= h - 2)
        return;
    const int p = y * w + x;
    double curve = -5.0 * now[p];
    curve += 1.5 * (now[p - 1] + now[p + 1] + now[p - w] + now[p + w]);
    curve -= 0.25 * (now[p - 2] + now[p + 2] + now[p - 2 * w] + now[p + 2 * w]);
    next[p] = 2.0 * now[p] - next[p] + speed[p] * curve;
}
