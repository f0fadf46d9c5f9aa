// Inclusive scan of a block in two buffers by turns (Hillis and Steele).
#define N 64
__kernel __attribute__((reqd_work_group_size(N, 1, 1)))
void local_scan_hillis(__global const int *in, __global int *out)
{
    __local int t[2][N];
    int l = get_local_id(0);
    int from = 0, to = 1;
    t[0][l] = in[get_group_id(0) * N + l];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = 1; d < N; d <<= 1) {
        t[to][l] = l >= d ? t[from][l] + t[from][l - d] : t[from][l];
        barrier(CLK_LOCAL_MEM_FENCE);
        from = 1 - from;
        to = 1 - to;
    }
    out[get_group_id(0) * N + l] = t[from][l];
}
