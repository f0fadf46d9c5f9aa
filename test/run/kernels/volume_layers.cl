// A reduction along the deepest direction of a volume, and a normalization of what was read.
__kernel void volume_layers(__global float *restrict v, __global float *restrict sum, int nx, int ny, int nz)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    if (x < nx && y < ny) {
        float total = 1.0f;
        for (int z = 0; z < nz; z++)
            total += fabs(v[(z * ny + y) * nx + x]);
        sum[y * nx + x] = total;
        for (int z = nz - 1; z >= 0; z--)
            v[(z * ny + y) * nx + x] *= 0.5f * total;
    }
}
