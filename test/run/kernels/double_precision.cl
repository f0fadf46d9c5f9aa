#pragma OPENCL EXTENSION cl_khr_fp64 : enable

// double throughout, and a double literal in float arithmetic.
__kernel void double_precision(__global const double *a, __global const float *b,
                               __global double *c, __global float *d, int n)
{
    int i = get_global_id(0);
    if (i >= n)
        return;
    c[i] = a[i] * 0.1 + b[i];
    d[i] = 0.5 * (b[i] - 0.1f);
}
