// A square tile written by rows and read by columns, then by rows again, in one kernel.
#define T 8
__kernel __attribute__((reqd_work_group_size(T, T, 1)))
void local_columns(__global const short *in, __global int *rows, __global int *columns)
{
    __local short tile[T][T];
    int lx = get_local_id(0), ly = get_local_id(1);
    int at = (get_group_id(1) * get_num_groups(0) + get_group_id(0)) * T;
    tile[ly][lx] = in[at * T + ly * T + lx];
    barrier(CLK_LOCAL_MEM_FENCE);
    int sum = 0;
    for (int k = 0; k < T; k++)
        sum += tile[k][lx] * (ly + 1);
    if (ly == 0)
        columns[at + lx] = sum;
    sum = 0;
    for (int k = 0; k < T; k++)
        sum += tile[lx][k];
    if (ly == 0)
        rows[at + lx] = sum;
}
