// Twenty-five points of a star with a radius of four, as in reverse time migration.
#define RADIUS 4

__constant float coeff[RADIUS + 1] = {-2.847222f, 1.6f, -0.2f, 0.025397f, -0.001786f};

__kernel void star25(__global const float *restrict u, __global float *restrict unew, __global const float *restrict vp,
                     const int dimx, const int dimy, const int dimz)
{
    const int x = get_global_id(0) + RADIUS;
    const int y = get_global_id(1) + RADIUS;
    const int z = get_global_id(2) + RADIUS;
    if (x >= dimx - RADIUS || y >= dimy - RADIUS || z >= dimz - RADIUS)
        return;
    const int sy = dimx;
    const int sz = dimx * dimy;
    const int c = z * sz + y * sy + x;
    float lap = 3.0f * coeff[0] * u[c];
    for (int r = 1; r <= RADIUS; r++)
        lap += coeff[r] * (u[c - r] + u[c + r] + u[c - r * sy] + u[c + r * sy] + u[c - r * sz] + u[c + r * sz]);
    unew[c] = 2.0f * u[c] - unew[c] + vp[c] * lap;
}
