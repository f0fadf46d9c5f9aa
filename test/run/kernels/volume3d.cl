// Three dimensions, symbolic strides, a guard that returns.
__kernel void volume3d(__global const float *a, __global float *b, int nx, int ny, int nz)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    int z = get_global_id(2);
    if (x >= nx || y >= ny || z >= nz)
        return;
    b[(z * ny + y) * nx + x] = a[(z * ny + y) * nx + x] - a[y * nx + x];
}
