// Gathers and scatters through a permutation.
__kernel void indirect_scatter(__global const int *to, __global const float *a,
                               __global float *b, int n)
{
    int i = get_global_id(0);
    if (i < n)
        b[to[i]] = a[i] + a[to[i]];
}
