// Ids and the step made of groups; as many iterations as work-items, fewer, many more.
__kernel void grid_stride_groups(__global const float *restrict a, __global float *restrict b, uint n,
                                 float f)
{
    const uint gid = get_group_id(0) * get_local_size(0) + get_local_id(0);
    const uint stride = get_local_size(0) * get_num_groups(0);
    for (uint i = gid; i < n; i += stride)
        b[i] = a[i] * f + i;
}
