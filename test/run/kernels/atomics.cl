// Integer atomics give the same result in any order.
__kernel void atomics(__global const uchar *a, __global int *histogram,
                      __global int *largest, int n)
{
    int i = get_global_id(0);
    if (i >= n)
        return;
    atomic_inc(&histogram[a[i] / 16]);
    atomic_max(largest, (int)a[i]);
}
