// Symmetric rank-k update, sizes as macros.
#ifndef N
#define N 2048
#endif
#ifndef M
#define M 2048
#endif
typedef float DATA_TYPE;

__kernel void syrk_kernel(DATA_TYPE alpha, DATA_TYPE beta, __global DATA_TYPE *a, __global DATA_TYPE *c)
{
    int j = get_global_id(0);
    int i = get_global_id(1);

    if ((i < N) && (j < N)) {
        c[i * N + j] *= beta;
        int k;
        for (k = 0; k < M; k++)
            c[i * N + j] += alpha * a[i * M + k] * a[j * M + k];
    }
}
