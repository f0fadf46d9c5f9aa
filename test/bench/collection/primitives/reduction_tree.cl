// Sums of groups with a grid-stride loop and a tree.
__kernel void reduce(__global const float *g_idata, __global float *g_odata, __local float *sdata, const unsigned int n)
{
    const unsigned int tid = get_local_id(0);
    unsigned int i = get_group_id(0) * (get_local_size(0) * 2) + tid;
    const unsigned int gridSize = get_local_size(0) * 2 * get_num_groups(0);
    sdata[tid] = 0;
    while (i < n) {
        sdata[tid] += g_idata[i];
        if (i + get_local_size(0) < n)
            sdata[tid] += g_idata[i + get_local_size(0)];
        i += gridSize;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (unsigned int s = get_local_size(0) / 2; s > 0; s >>= 1) {
        if (tid < s)
            sdata[tid] += sdata[tid + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (tid == 0)
        g_odata[get_group_id(0)] = sdata[0];
}
