// Exclusive scan of 128 elements by 64 work-items, up and down a tree (Blelloch).
#define N 128
__kernel __attribute__((reqd_work_group_size(N / 2, 1, 1)))
void local_scan_blelloch(__global const int *in, __global int *out, __global int *sums)
{
    __local int t[N];
    int l = get_local_id(0);
    int base = get_group_id(0) * N;
    int offset = 1;
    t[2 * l] = in[base + 2 * l];
    t[2 * l + 1] = in[base + 2 * l + 1];
    for (int d = N >> 1; d > 0; d >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < d) {
            int a = offset * (2 * l + 1) - 1;
            int b = offset * (2 * l + 2) - 1;
            t[b] += t[a];
        }
        offset *= 2;
    }
    if (l == 0) {
        sums[get_group_id(0)] = t[N - 1];
        t[N - 1] = 0;
    }
    for (int d = 1; d < N; d *= 2) {
        offset >>= 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < d) {
            int a = offset * (2 * l + 1) - 1;
            int b = offset * (2 * l + 2) - 1;
            int x = t[a];
            t[a] = t[b];
            t[b] += x;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[base + 2 * l] = t[2 * l];
    out[base + 2 * l + 1] = t[2 * l + 1];
}
