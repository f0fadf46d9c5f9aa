/* Covariance of bands, and their components, with copies. */
__kernel void covariance(__global const uchar *x, __global const float *mean, __global float *cov,
                         int bands, int pixels)
{
    int j = get_global_id(0);
    int i = get_global_id(1);
    float sum = 0.0f;
    for (int k = 0; k < pixels; k++)
        sum += (x[i * pixels + k] - mean[i]) * (x[j * pixels + k] - mean[j]);
    cov[i * bands + j] = sum / (pixels - 1);
}

__kernel void transform(__global const float *a, __global const uchar *x, __global float *y,
                        int components, int bands, int pixels)
{
    int s = get_global_id(0);
    if (s >= pixels)
        return;
    for (int c = 0; c < components; c++) {
        float sum = 0.0f;
        for (int b = 0; b < bands; b++)
            sum += a[c * bands + b] * x[b * pixels + s];
        y[c * pixels + s] = sum;
    }
}
