// Three ids in a vector; a volume that is read at twice its resolution.
__kernel void vector_volume(__global const short *in, __global int *out, const int nx, const int ny, const int nz)
{
    const int3 p = (int3)(get_global_id(0), get_global_id(1), get_global_id(2));
    if (any(p >= (int3)(nx, ny, nz)))
        return;
    int sum = 0;
    for (int d = 0; d < 8; d++)
        sum += in[((2 * p.z + (d >> 2)) * 2 * ny + 2 * p.y + ((d >> 1) & 1)) * 2 * nx + 2 * p.x + (d & 1)];
    out[(p.z * ny + p.y) * nx + p.x] = sum >> 3;
}
