// Sums over every n-th element, and those of a group by one of its work-items.
__kernel __attribute__((reqd_work_group_size(16, 1, 1)))
void round_groups(__global const uint *a, __global uint *r, uint n)
{
    __local uint t[16];
    uint s = 0;
    for (uint i = get_global_id(0); i < n; i += get_global_size(0))
        s += a[i];
    t[get_local_id(0)] = s;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        uint all = 0;
        for (uint k = 0; k < 16; k++)
            all += t[k];
        r[get_group_id(0)] = all;
    }
}
