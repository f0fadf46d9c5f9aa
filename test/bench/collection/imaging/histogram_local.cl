// Histogram of bytes: one of a group in local memory, added by atomics.
#define BINS 256

__kernel void histogram(__global const uchar *src, int n, __global uint *hist)
{
    __local uint bins[BINS];
    int lid = get_local_id(0);
    for (int i = lid; i < BINS; i += get_local_size(0))
        bins[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = get_global_id(0); i < n; i += get_global_size(0))
        atomic_inc(&bins[src[i]]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = lid; i < BINS; i += get_local_size(0))
        atomic_add(&hist[i], bins[i]);
}
