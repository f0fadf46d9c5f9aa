// Symmetric rank-2k update of the lower triangle.
#define IDX(i, j, ld) ((i) * (ld) + (j))

__kernel void syr2k(__global const float *restrict A, __global const float *restrict B, __global float *restrict C,
                    const float alpha, const float beta, const int N, const int M)
{
    const int j = get_global_id(0);
    const int i = get_global_id(1);
    if (i < N && j <= i) {
        float s = 0.0f;
        for (int k = 0; k < M; k++)
            s += A[IDX(j, k, M)] * alpha * B[IDX(i, k, M)] + B[IDX(j, k, M)] * alpha * A[IDX(i, k, M)];
        C[IDX(i, j, N)] = C[IDX(i, j, N)] * beta + s;
    }
}
