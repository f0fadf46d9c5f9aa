// Only the lower triangle is updated; the guard is a diagonal.
__kernel void syrk_lower(__global const float *restrict a, __global float *restrict c, float alpha, float beta,
                         int n, int d)
{
    int j = get_global_id(0);
    int i = get_global_id(1);
    if (i < n && j <= i) {
        float sum = beta * c[i * n + j];
        for (int k = 0; k < d; k++)
            sum += alpha * a[i * d + k] * a[j * d + k];
        c[i * n + j] = sum;
    }
}
