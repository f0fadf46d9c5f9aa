// One work-item per row of a symmetric result: it writes its part above the diagonal and the mirror image.
__kernel void symmetric_product(__global const float *restrict a, __global float *restrict c, int n, int d)
{
    int i = get_global_id(0);
    if (i < n)
        for (int j = i; j < n; j++) {
            float sum = 0.0f;
            for (int k = 0; k < d; k++)
                sum += a[k * n + i] * a[k * n + j];
            c[i * n + j] = sum;
            c[j * n + i] = sum;
        }
}
