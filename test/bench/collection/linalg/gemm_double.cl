// Product of double matrices, NULL as local size.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

__kernel void dgemm(__global const double *A, __global const double *B, __global double *C, int n)
{
    size_t i = get_global_id(1), j = get_global_id(0);
    double sum = 0.0;
    for (int k = 0; k < n; k++)
        sum += A[i * n + k] * B[k * n + j];
    C[i * n + j] = sum;
}
