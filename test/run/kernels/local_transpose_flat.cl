// A transpose through a flat tile, its size known only as an argument's.
#define B 8
__kernel void local_transpose_flat(__global const int *in, __global int *out, int n,
                                   __local int *tile)
{
    int lx = get_local_id(0), ly = get_local_id(1);
    int gx = get_group_id(0) * B, gy = get_group_id(1) * B;
    tile[ly * (B + 1) + lx] = in[(gy + ly) * n + gx + lx];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[(gx + ly) * n + gy + lx] = tile[lx * (B + 1) + ly];
}
