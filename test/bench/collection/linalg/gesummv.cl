// y = alpha A x + beta B x, sums kept in memory.
__kernel void gesummv_kernel(__global float *a, __global float *b, __global float *x, __global float *y,
                             __global float *tmp, float alpha, float beta, int n)
{
    int i = get_global_id(0);

    if (i < n) {
        int j;
        for (j = 0; j < n; j++) {
            tmp[i] += a[i * n + j] * x[j];
            y[i] += b[i * n + j] * x[j];
        }
        y[i] = alpha * tmp[i] + beta * y[i];
    }
}
