// A transpose through local memory with a barrier; the groups are fixed.
#define TILE 8
__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void local_tile(__global const float *in, __global float *out, int w, int h)
{
    __local float tile[TILE][TILE + 1];
    int lx = get_local_id(0), ly = get_local_id(1);
    int x = get_group_id(0) * TILE + lx;
    int y = get_group_id(1) * TILE + ly;
    if (x < w && y < h)
        tile[ly][lx] = in[y * w + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    x = get_group_id(1) * TILE + lx;
    y = get_group_id(0) * TILE + ly;
    if (x < h && y < w)
        out[y * h + x] = tile[lx][ly];
}
