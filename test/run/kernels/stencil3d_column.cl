// A 2-D NDRange; every work-item walks along z and reads three planes.
__kernel void stencil3d_column(__global const float *restrict a, __global float *restrict b, int nx, int ny, int nz)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    if (x >= 1 && x < nx - 1 && y >= 1 && y < ny - 1)
        for (int z = 1; z < nz - 1; z++)
            b[(z * ny + y) * nx + x] = a[(z * ny + y) * nx + x - 1] + a[(z * ny + y) * nx + x + 1] +
                                       a[(z * ny + y - 1) * nx + x] + a[(z * ny + y + 1) * nx + x] +
                                       a[((z - 1) * ny + y) * nx + x] + a[((z + 1) * ny + y) * nx + x] -
                                       6.0f * a[(z * ny + y) * nx + x];
}
