// Normalization by the means and variances of channels, scale and bias.
__kernel void batchnorm(int N, __global float *x, __global const float *mean, __global const float *variance,
                        __global const float *scales, __global const float *biases, int filters, int spatial)
{
    int index = get_global_id(0);
    if (index >= N)
        return;
    int f = (index / spatial) % filters;
    x[index] = (x[index] - mean[f]) / (sqrt(variance[f] + .00001f)) * scales[f] + biases[f];
}
