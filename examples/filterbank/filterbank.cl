// A bank of filters with 2 * bands taps each: a signal is taken apart into bands, one value of each
// for every `bands` samples, and put together again.

// out[band][block]. The signal has (blocks + 1) * bands samples. NDRange: blocks x bands work-items.
__kernel void analysis(__global const float *signal, __global const float *filter,
                       __global float *out, int bands, int blocks)
{
    int t = get_global_id(0);
    int b = get_global_id(1);
    float sum = 0.0f;
    for (int k = 0; k < 2 * bands; k++)
        sum += filter[b * 2 * bands + k] * signal[t * bands + k];
    out[b * blocks + t] = sum;
}

// Every sample is in the last half of one block and the first half of the next.
// NDRange: (blocks + 1) * bands work-items.
__kernel void synthesis(__global const float *in, __global const float *filter,
                        __global float *signal, int bands, int blocks)
{
    int s = get_global_id(0);
    int t = s / bands;
    int k = s % bands;
    float sum = 0.0f;
    for (int b = 0; b < bands; b++) {
        if (t < blocks)
            sum += in[b * blocks + t] * filter[b * 2 * bands + k];
        if (t > 0)
            sum += in[b * blocks + t - 1] * filter[b * 2 * bands + bands + k];
    }
    signal[s] = sum;
}

// Mean power of each band. NDRange: bands work-items.
__kernel void band_power(__global const float *in, __global float *power, int bands, int blocks)
{
    int b = get_global_id(0);
    if (b >= bands)
        return;
    float sum = 0.0f;
    for (int t = 0; t < blocks; t++)
        sum += in[b * blocks + t] * in[b * blocks + t];
    power[b] = sum / blocks;
}
