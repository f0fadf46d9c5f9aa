// Seven points in a volume, sides kept.
__kernel void stencil3d_seven(__global const float *restrict a, __global float *restrict b, float c0, float c1,
                              int nx, int ny, int nz)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    int z = get_global_id(2);
    if (x > 0 && y > 0 && z > 0 && x < nx - 1 && y < ny - 1 && z < nz - 1) {
        b[(z * ny + y) * nx + x] =
            c0 * a[(z * ny + y) * nx + x] +
            c1 * (a[(z * ny + y) * nx + x - 1] + a[(z * ny + y) * nx + x + 1] +
                  a[(z * ny + y - 1) * nx + x] + a[(z * ny + y + 1) * nx + x] +
                  a[((z - 1) * ny + y) * nx + x] + a[((z + 1) * ny + y) * nx + x]);
    }
}
