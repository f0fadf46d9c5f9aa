// Inclusive sums of a group with two buffers in local memory.
#define N 256

__kernel void scan_block(__global const int *in, __global int *out, __global int *sums, int n)
{
    __local int tmp[2 * N];
    int gid = get_global_id(0);
    int t = get_local_id(0);
    int pout = 0, pin = 1;
    tmp[t] = gid < n ? in[gid] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = 1; d < N; d <<= 1) {
        pout = 1 - pout;
        pin = 1 - pout;
        tmp[pout * N + t] = t >= d ? tmp[pin * N + t] + tmp[pin * N + t - d] : tmp[pin * N + t];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (gid < n)
        out[gid] = tmp[pout * N + t];
    if (t == N - 1)
        sums[get_group_id(0)] = tmp[pout * N + t];
}

__kernel void add_offsets(__global int *data, __global const int *offsets, int n)
{
    int gid = get_global_id(0);
    int g = get_group_id(0);
    if (gid < n && g > 0)
        data[gid] += offsets[g - 1];
}
