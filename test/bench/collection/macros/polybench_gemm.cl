// C = alpha A B + beta C, sizes as macros of the build.
#ifndef NI
#define NI 4096
#define NJ 4096
#define NK 4096
#endif

__kernel void gemm(__global float *a, __global float *b, __global float *c, float alpha, float beta)
{
    int j = get_global_id(0);
    int i = get_global_id(1);

    if ((i < NI) && (j < NJ)) {
        c[i * NJ + j] *= beta;
        int k;
        for (k = 0; k < NK; k++)
            c[i * NJ + j] += alpha * a[i * NK + k] * b[k * NJ + j];
    }
}
