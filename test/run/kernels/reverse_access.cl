// Neighbours read descending addresses.
__kernel void reverse_access(__global const float *a, __global float *b, int n)
{
    int i = get_global_id(0);
    if (i < n)
        b[i] = a[n - 1 - i] - a[i];
}
