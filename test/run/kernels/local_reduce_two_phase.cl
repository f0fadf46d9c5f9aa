// Each work-item adds up its part of the input, then the group a tree with `s >>= 1`.
#define GROUP 32
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void local_reduce_two_phase(__global const int *in, __global int *out, int n)
{
    __local int partial[GROUP];
    int l = get_local_id(0);
    int sum = 0;
    for (int i = get_global_id(0); i < n; i += get_global_size(0))
        sum += in[i];
    partial[l] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = GROUP / 2; s > 0; s >>= 1) {
        if (l < s)
            partial[l] += partial[l + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        out[get_group_id(0)] = partial[0];
}
