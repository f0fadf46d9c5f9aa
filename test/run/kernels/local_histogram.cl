// A histogram per group with atomics in local memory, added to the whole at the end.
#define BINS 32
__kernel __attribute__((reqd_work_group_size(16, 1, 1)))
void local_histogram(__global const uchar *data, __global uint *bins, int n)
{
    __local uint own[BINS];
    for (int b = get_local_id(0); b < BINS; b += get_local_size(0))
        own[b] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 4; k++) {
        int i = get_global_id(0) * 4 + k;
        if (i < n)
            atomic_inc(&own[data[i] % BINS]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int b = get_local_id(0); b < BINS; b += get_local_size(0))
        atomic_add(&bins[b], own[b]);
}
