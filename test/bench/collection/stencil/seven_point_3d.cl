// Seven points, one work-item per cell, three dimensions and NULL.
#define IDX3(x, y, z) ((z) * nx * ny + (y) * nx + (x))

__kernel void heat3d(__global const float *restrict in, __global float *restrict out, const int nx, const int ny,
                     const int nz, const float k)
{
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    const int z = get_global_id(2);
    if (x == 0 || y == 0 || z == 0 || x >= nx - 1 || y >= ny - 1 || z >= nz - 1)
        return;
    const float c = in[IDX3(x, y, z)];
    const float lap = in[IDX3(x - 1, y, z)] + in[IDX3(x + 1, y, z)] + in[IDX3(x, y - 1, z)] + in[IDX3(x, y + 1, z)] +
                      in[IDX3(x, y, z - 1)] + in[IDX3(x, y, z + 1)] - 6.0f * c;
    out[IDX3(x, y, z)] = c + k * lap;
}
