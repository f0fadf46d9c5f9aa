// A band around the diagonal: the bounds of the loop are a minimum and a maximum.
__kernel void trapezoid_band(__global const float *restrict a, __global const float *restrict x,
                             __global float *restrict y, int n, int band)
{
    int i = get_global_id(0);
    if (i < n) {
        float sum = 0.0f;
        for (int j = max(0, i - band); j <= min(n - 1, i + band); j++)
            sum += a[i * n + j] * x[j];
        y[i] = sum;
    }
}
