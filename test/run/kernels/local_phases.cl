// A loop with a barrier whose number of iterations is an argument: work-items take turns
// in writing what all of them read.
__kernel __attribute__((reqd_work_group_size(16, 1, 1)))
void local_phases(__global int *a, int rounds)
{
    __local int line[16], next[16];
    int l = get_local_id(0);
    int base = get_group_id(0) * 16;
    line[l] = a[base + l];
    for (int r = 0; r < rounds; r++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        next[l] = line[(l + 1) & 15] * 3 + r;
        barrier(CLK_LOCAL_MEM_FENCE);
        line[l] = next[15 - l];
    }
    a[base + l] = line[l];
}
