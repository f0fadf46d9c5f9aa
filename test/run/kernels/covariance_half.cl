// F29: covariances of bands: what two of them have in common is computed once.
__kernel void covariance_half(__global const float *x, __global float *c, int bands, int pixels)
{
    int j = get_global_id(0);
    int i = get_global_id(1);
    if (i >= bands || j >= bands)
        return;
    float sum = 0.0f;
    for (int k = 0; k < pixels; k++)
        sum += x[i * pixels + k] * x[j * pixels + k];
    c[i * bands + j] = sum / pixels;
}
