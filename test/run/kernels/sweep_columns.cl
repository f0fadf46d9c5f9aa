// Gauss-Seidel along y: every cell uses the new one above it; then back, downwards.
__kernel void sweep_columns(__global float *restrict u, __global const float *restrict f, int w, int h)
{
    int x = get_global_id(0);
    if (x >= w)
        return;
    for (int y = 1; y < h; y++)
        u[y * w + x] = 0.5f * (u[(y - 1) * w + x] + f[y * w + x]);
    for (int y = h - 2; y >= 0; y--)
        u[y * w + x] -= 0.25f * u[(y + 1) * w + x];
}
