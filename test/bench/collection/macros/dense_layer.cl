// Weights of 512 inputs by rows, a batch in the second dimension.
#ifndef INPUTS
#define INPUTS 512
#endif

__kernel void dense(__global const float *x, __global const float *w, __global const float *bias, __global float *y,
                    int outputs, int batch)
{
    int o = get_global_id(0);
    int n = get_global_id(1);
    if (o >= outputs || n >= batch)
        return;
    float s = bias[o];
    for (int i = 0; i < INPUTS; i++)
        s += x[n * INPUTS + i] * w[i * outputs + o];
    y[n * outputs + o] = s > 0 ? s : 0;
}
