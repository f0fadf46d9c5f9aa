// Twenty-seven points with weights from three loops.
__kernel void stencil3d_box(__global const int *restrict a, __global const int *restrict weight,
                            __global int *restrict b, int nx, int ny, int nz)
{
    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    if (x < 1 || y < 1 || z < 1 || x >= nx - 1 || y >= ny - 1 || z >= nz - 1)
        return;
    int sum = 0;
    for (int dz = -1; dz <= 1; dz++)
        for (int dy = -1; dy <= 1; dy++)
            for (int dx = -1; dx <= 1; dx++)
                sum += weight[(dz + 1) * 9 + (dy + 1) * 3 + dx + 1] *
                       a[((z + dz) * ny + y + dy) * nx + x + dx];
    b[(z * ny + y) * nx + x] = sum;
}
