// Minimum noise fraction, besides what hyperspectral.cl and jacobi.cl have. Images are
// [band][pixel], matrices are square and row-major.

// NDRange: bands work-items.
__kernel void mean_bytes(__global const uchar *x, __global float *mean, int bands, int pixels)
{
    int b = get_global_id(0);
    if (b >= bands)
        return;
    uint sum = 0;
    for (int k = 0; k < pixels; k++)
        sum += x[b * pixels + k];
    mean[b] = (float)sum / pixels;
}

// NDRange: bands work-items.
__kernel void mean_floats(__global const float *x, __global float *mean, int bands, int pixels)
{
    int b = get_global_id(0);
    if (b >= bands)
        return;
    float sum = 0.0f;
    for (int k = 0; k < pixels; k++)
        sum += x[b * pixels + k];
    mean[b] = sum / pixels;
}

// Covariance of bands i and j of an image of floats. NDRange: bands x bands work-items.
__kernel void covariance_floats(__global const float *x, __global const float *mean,
                                __global float *cov, int bands, int pixels)
{
    int j = get_global_id(0);
    int i = get_global_id(1);
    float sum = 0.0f;
    for (int k = 0; k < pixels; k++)
        sum += (x[i * pixels + k] - mean[i]) * (x[j * pixels + k] - mean[j]);
    cov[i * bands + j] = sum / (pixels - 1);
}

// Eigenvectors, which are rows, over the roots of their eigenvalues, which are the diagonal.
// NDRange: n x n work-items.
__kernel void whiten(__global const float *vectors, __global const float *values,
                     __global float *out, int n)
{
    int j = get_global_id(0);
    int i = get_global_id(1);
    out[i * n + j] = vectors[i * n + j] / sqrt(values[i * n + i]);
}

// c = a b. NDRange: n x n work-items.
__kernel void product(__global const float *a, __global const float *b, __global float *c, int n)
{
    int j = get_global_id(0);
    int i = get_global_id(1);
    float sum = 0.0f;
    for (int k = 0; k < n; k++)
        sum += a[i * n + k] * b[k * n + j];
    c[i * n + j] = sum;
}

// c = a b^T. NDRange: n x n work-items.
__kernel void product_transposed(__global const float *a, __global const float *b,
                                 __global float *c, int n)
{
    int j = get_global_id(0);
    int i = get_global_id(1);
    float sum = 0.0f;
    for (int k = 0; k < n; k++)
        sum += a[i * n + k] * b[j * n + k];
    c[i * n + j] = sum;
}

// NDRange: n x n work-items.
__kernel void copy(__global const float *in, __global float *out, int n)
{
    int j = get_global_id(0);
    int i = get_global_id(1);
    out[i * n + j] = in[i * n + j];
}
