// The transpose of the vendors' samples: a square tile without padding, read by columns,
// rows in steps of the group's height.
#define TILE 16
#define ROWS 4
__kernel __attribute__((reqd_work_group_size(TILE, ROWS, 1)))
void local_transpose_square(__global const float *in, __global float *out, int w, int h)
{
    __local float tile[TILE][TILE];
    const int lx = get_local_id(0), ly = get_local_id(1);
    int x = get_group_id(0) * TILE + lx;
    int y = get_group_id(1) * TILE + ly;
    for (int j = 0; j < TILE; j += ROWS)
        tile[ly + j][lx] = in[(y + j) * w + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    x = get_group_id(1) * TILE + lx;
    y = get_group_id(0) * TILE + ly;
    for (int j = 0; j < TILE; j += ROWS)
        out[(y + j) * h + x] = tile[lx][ly + j];
}
