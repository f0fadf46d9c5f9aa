// Convolution of 1 x 1: positions by channels, NCHW.
__kernel void conv_1x1(__global const float *input, __global const float *weights, __global const float *bias,
                       __global float *output, int in_channels, int out_channels, int hw)
{
    int p = get_global_id(0);
    int oc = get_global_id(1);
    if (p < hw && oc < out_channels) {
        float acc = bias[oc];
        for (int ic = 0; ic < in_channels; ic++)
            acc += weights[oc * in_channels + ic] * input[ic * hw + p];
        output[oc * hw + p] = fmax(acc, 0.0f);
    }
}
