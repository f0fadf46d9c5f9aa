// A barrier in a helper function, and the local array passed to another one.
void meet(void)
{
    barrier(CLK_LOCAL_MEM_FENCE);
}

int neighbours(__local const int *t, int l)
{
    return t[l] + t[l ^ 1];
}

__kernel __attribute__((reqd_work_group_size(8, 1, 1)))
void local_helper_barrier(__global const int *in, __global int *out)
{
    __local int t[8];
    int l = get_local_id(0);
    t[l] = in[get_group_id(0) * 8 + l];
    meet();
    int sum = 0;
    for (int k = 0; k < 4; k++)
        sum += neighbours(t, l ^ (2 * k)) * (k + 1);
    out[get_group_id(0) * 8 + l] = sum;
}
