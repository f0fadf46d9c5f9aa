// Sums in global memory over tiles that the group loads; only the tile is shared.
#define G 16
__kernel __attribute__((reqd_work_group_size(G, 1, 1)))
void local_sums_over_tiles(__global const int *restrict a, __global int *restrict c, int tiles)
{
    __local int t[G];
    int l = get_local_id(0);
    for (int k = 0; k < tiles; k++) {
        t[l] = a[k * G + l];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int j = 0; j < G; j++)
            c[get_group_id(0) * G + l] += t[(l + j) & (G - 1)] * (j + 1);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
