// The correlation matrix by one work-item per row, sizes as macros and arrays from one.
#ifndef M
#define M 2048
#define N 2048
#endif

__kernel void corr_kernel(__global float *symmat, __global float *data)
{
    int j1 = get_global_id(0) + 1;
    int i, j2;
    if ((j1 >= 1) && (j1 < M)) {
        symmat[j1 * (M + 1) + j1] = 1.0f;
        for (j2 = (j1 + 1); j2 < (M + 1); j2++) {
            for (i = 1; i < (N + 1); i++)
                symmat[j1 * (M + 1) + j2] += data[i * (M + 1) + j1] * data[i * (M + 1) + j2];
            symmat[j2 * (M + 1) + j1] = symmat[j1 * (M + 1) + j2];
        }
    }
}
