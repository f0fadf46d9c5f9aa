// A times B transposed, scaled and added to C: dgemm with its order of arguments.
__kernel void matmul_nt_alpha_beta(int m, int n, int k, double alpha, __global const double *restrict a,
                                   __global const double *restrict b, double beta,
                                   __global double *restrict c)
{
    int j = get_global_id(0);
    int i = get_global_id(1);
    if (i >= m || j >= n)
        return;
    double sum = 0.0;
    for (int l = 0; l < k; l++)
        sum += a[i * k + l] * b[j * k + l];
    c[i * n + j] = alpha * sum + beta * c[i * n + j];
}
