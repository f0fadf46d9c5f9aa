// A triangle that is scaled, summed up in place, and mirrored.
__kernel void rank_update_triangle(__global const float *restrict a, __global float *restrict c, float beta, int n, int d)
{
    int j = get_global_id(0);
    int i = get_global_id(1);
    if (j <= i && i < n) {
        c[i * n + j] *= beta;
        for (int k = 0; k < d; k++)
            c[i * n + j] += a[i * d + k] * a[j * d + k];
        c[j * n + i] = c[i * n + j];
    }
}
