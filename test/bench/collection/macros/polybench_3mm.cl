// One product of three, sizes as macros.
#ifndef NI
#define NI 1024
#define NJ 1024
#define NK 1024
#endif
typedef float DATA_TYPE;

__kernel void mm3_kernel1(__global DATA_TYPE *A, __global DATA_TYPE *B, __global DATA_TYPE *E)
{
    int j = get_global_id(0);
    int i = get_global_id(1);

    if ((i < NI) && (j < NJ)) {
        int k;
        E[i * NJ + j] = 0;
        for (k = 0; k < NK; k++)
            E[i * NJ + j] += A[i * NK + k] * B[k * NJ + j];
    }
}
