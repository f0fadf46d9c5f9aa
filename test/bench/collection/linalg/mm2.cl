// D = alpha A B C + beta D in two launches.
#define NI_NJ(i, j) ((i) * nj + (j))

__kernel void mm2_kernel1(__global float *tmp, __global float *A, __global float *B, int ni, int nj, int nk, float alpha)
{
    int j = get_global_id(0);
    int i = get_global_id(1);
    if (i < ni && j < nj) {
        tmp[NI_NJ(i, j)] = 0;
        for (int k = 0; k < nk; k++)
            tmp[NI_NJ(i, j)] += alpha * A[i * nk + k] * B[k * nj + j];
    }
}

__kernel void mm2_kernel2(__global float *tmp, __global float *C, __global float *D, int ni, int nj, int nl, float beta)
{
    int j = get_global_id(0);
    int i = get_global_id(1);
    if (i < ni && j < nl) {
        D[i * nl + j] *= beta;
        for (int k = 0; k < nj; k++)
            D[i * nl + j] += tmp[NI_NJ(i, k)] * C[k * nl + j];
    }
}
