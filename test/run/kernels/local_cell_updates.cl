// A work-item uses its own cell of a local array again and again between barriers.
#define G 16
__kernel __attribute__((reqd_work_group_size(G, 1, 1)))
void local_cell_updates(__global const int *a, __global int *b, int n)
{
    __local int mine[G];
    int l = get_local_id(0), g = get_group_id(0);
    mine[l] = l;
    for (int k = 0; k < n; k++)
        mine[l] = mine[l] * 5 + a[g * n + k];
    barrier(CLK_LOCAL_MEM_FENCE);
    b[g * G + l] = mine[G - 1 - l];
}
