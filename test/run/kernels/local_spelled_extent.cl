// Local arrays whose extents are macros without parentheses.
#define CELLS 1 ? 64 : 128
#define COLUMNS 4 + 4
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void local_spelled_extent(__global const int *in, __global int *out)
{
    __local int cells[CELLS], rows[8][COLUMNS];
    const int l = get_local_id(0);
    const int value = in[get_global_id(0)];
    cells[l] = value;
    rows[l / 8][l % 8] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = cells[63 - l] * 3 + rows[l % 8][l / 8];
}
