// Ranges up to both ends of int, and a sum that wraps.
__kernel void range_from_arguments(__global const int *a, __global int *b, int lo, int hi, int off)
{
    int i = get_global_id(0);
    if (i >= lo && i < hi) b[i] = a[i] + off;
}
