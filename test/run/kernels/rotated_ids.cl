// Ids of three dimensions, of groups and within groups, with offsets.
__kernel void rotated_ids(__global const int *a, __global int *b, int nx, int ny, int nz)
{
    size_t x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    size_t id = (z * get_global_size(1) + y) * get_global_size(0) + x;
    if (x < nx && y < ny && z < nz)
        b[(z * ny + y) * nx + x] = a[(z * ny + y) * nx + x] * 3 + (int)(id & 3) + (int)(get_group_id(0) + get_local_id(1) + get_num_groups(2));
}
