// Symmetric rank-2k update, sizes as macros.
#ifndef N
#define N 2048
#endif
#ifndef M
#define M 2048
#endif

__kernel void syr2k_kernel(__global float *a, __global float *b, __global float *c, float alpha, float beta)
{
    int j = get_global_id(0);
    int i = get_global_id(1);

    if ((i < N) && (j < N)) {
        c[i * N + j] *= beta;
        for (int k = 0; k < M; k++)
            c[i * N + j] += alpha * a[i * M + k] * b[j * M + k] + alpha * b[i * M + k] * a[j * M + k];
    }
}
