// Nine points, sizes as macros.
#ifndef NI
#define NI 4096
#define NJ 4096
#endif

__kernel void Convolution2D_kernel(__global float *A, __global float *B)
{
    int j = get_global_id(0);
    int i = get_global_id(1);
    float c11 = +0.2f, c21 = +0.5f, c31 = -0.8f, c12 = -0.3f, c22 = +0.6f, c32 = -0.9f, c13 = +0.4f, c23 = +0.7f, c33 = +0.1f;

    if ((i < (NI - 1)) && (j < (NJ - 1)) && (i > 0) && (j > 0))
        B[i * NJ + j] = c11 * A[(i - 1) * NJ + (j - 1)] + c21 * A[(i - 1) * NJ + j] + c31 * A[(i - 1) * NJ + (j + 1)] +
                        c12 * A[i * NJ + (j - 1)] + c22 * A[i * NJ + j] + c32 * A[i * NJ + (j + 1)] +
                        c13 * A[(i + 1) * NJ + (j - 1)] + c23 * A[(i + 1) * NJ + j] + c33 * A[(i + 1) * NJ + (j + 1)];
}
