// Work-items begin at an offset; it and the size are looked at too.
__kernel void global_offset(__global const float *a, __global float *b, __global int *c, int n)
{
    int i = get_global_id(0);
    if (i >= n)
        return;
    b[i] = a[i] * 2.0f;
    c[i] = i - (int)get_global_offset(0) + (int)get_global_size(0) * 1000;
}
