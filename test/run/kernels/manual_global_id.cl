// The global id by hand, from the group and the local id.
__kernel void manual_global_id(__global const float *a, __global float *b, int n)
{
    int i = get_group_id(0) * get_local_size(0) + get_local_id(0);
    int j = get_group_id(1) * get_local_size(1) + get_local_id(1);
    if (i < n && j < n)
        b[j * n + i] = a[i] - a[j];
}
