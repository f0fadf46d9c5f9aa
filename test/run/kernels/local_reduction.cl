// A tree in local memory that is passed as an argument; any power of two may be the size.
__kernel void local_reduction(__global const int *a, __global int *sums,
                              __local int *scratch, int n)
{
    int l = get_local_id(0);
    int i = get_global_id(0);
    scratch[l] = i < n ? a[i] : 0;
    for (int d = get_local_size(0) / 2; d > 0; d /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < d)
            scratch[l] += scratch[l + d];
    }
    if (l == 0)
        sums[get_group_id(0)] = scratch[0];
}
