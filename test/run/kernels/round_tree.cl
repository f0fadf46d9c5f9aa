// Two elements per iteration, and a tree over groups of any size up to 256.
__kernel void round_tree(__global const float *g, __global float *r, uint n)
{
    __local float part[256];
    uint lid = get_local_id(0), size = get_local_size(0);
    uint i = get_group_id(0) * (size * 2) + lid;
    uint grid = size * 2 * get_num_groups(0);
    float sum = 0.0f;
    while (i < n) {
        sum += g[i] + g[i + size];
        i += grid;
    }
    part[lid] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint s = get_local_size(0) / 2; s > 0; s >>= 1) {
        if (lid < s)
            part[lid] += part[lid + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lid == 0)
        r[get_group_id(0)] = part[0];
}
