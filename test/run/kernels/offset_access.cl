// A one-dimensional stencil: the same array at five offsets, in bounds at the ends.
__kernel void offset_access(__global const float *a, __global float *b, int n)
{
    int i = get_global_id(0) + 2;
    if (i < n - 2)
        b[i] = a[i - 2] - 4.0f * a[i - 1] + 6.0f * a[i] - 4.0f * a[i + 1] + a[i + 2];
}
