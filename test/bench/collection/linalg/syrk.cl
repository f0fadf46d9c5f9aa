// Symmetric rank-k update, row-major.
#define DATA_TYPE float

__kernel void syrk_kernel(DATA_TYPE alpha, DATA_TYPE beta, __global DATA_TYPE *a, __global DATA_TYPE *c, int m, int n)
{
    int j = get_global_id(0);
    int i = get_global_id(1);

    if ((i < n) && (j < n)) {
        c[i * n + j] *= beta;
        for (int k = 0; k < m; k++)
            c[i * n + j] += alpha * a[i * m + k] * a[j * m + k];
    }
}
