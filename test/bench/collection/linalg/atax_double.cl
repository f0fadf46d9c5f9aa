// y = A^T (A x) in double, in two steps.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef double real_t;

__kernel void atax1(__global real_t *A, __global real_t *x, __global real_t *tmp, int nx, int ny)
{
    int i = get_global_id(0);
    if (i < nx)
        for (int j = 0; j < ny; j++)
            tmp[i] += A[i * ny + j] * x[j];
}

__kernel void atax2(__global real_t *A, __global real_t *y, __global real_t *tmp, int nx, int ny)
{
    int j = get_global_id(0);
    if (j < ny)
        for (int i = 0; i < nx; i++)
            y[j] += A[i * ny + j] * tmp[i];
}
