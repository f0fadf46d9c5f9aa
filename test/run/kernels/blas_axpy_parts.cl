// A sum in memory behind two arguments that are moved.
__kernel void blas_axpy_parts(int n, float alpha, __global const float *x, int offx,
                              __global float *y, int offy, int k)
{
    x += offx;
    y += offy;
    const int i = get_global_id(0);
    if (i < n)
        for (int r = 0; r < k; r++)
            y[i] += alpha * x[r * n + i];
}
