// Counts of four bits per group, every work-item over a stretch.
#define RADIX 16

__kernel void radix_count(__global const uint *keys, __global uint *counts, int n, int shift, int per_item)
{
    __local uint bins[RADIX];
    int lid = get_local_id(0);
    if (lid < RADIX)
        bins[lid] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    int start = get_global_id(0) * per_item;
    for (int i = 0; i < per_item; i++) {
        int p = start + i;
        if (p < n)
            atomic_inc(&bins[(keys[p] >> shift) & (RADIX - 1)]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid < RADIX)
        counts[lid * get_num_groups(0) + get_group_id(0)] = bins[lid];
}
