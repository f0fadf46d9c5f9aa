// y = A^T (A x), sizes as macros.
#ifndef NX
#define NX 4096
#define NY 4096
#endif
typedef float DATA_TYPE;

__kernel void atax_kernel1(__global DATA_TYPE *A, __global DATA_TYPE *x, __global DATA_TYPE *tmp)
{
    int i = get_global_id(0);

    if (i < NX) {
        int j;
        for (j = 0; j < NY; j++)
            tmp[i] += A[i * NY + j] * x[j];
    }
}

__kernel void atax_kernel2(__global DATA_TYPE *A, __global DATA_TYPE *y, __global DATA_TYPE *tmp)
{
    int j = get_global_id(0);

    if (j < NY) {
        int i;
        for (i = 0; i < NX; i++)
            y[j] += A[i * NY + j] * tmp[i];
    }
}
