// A layer for a batch: rows of weights, bias, tanh.
__kernel void fc_forward(__global const float *in, __global const float *w, __global const float *b, __global float *out,
                         const int in_dim, const int out_dim, const int batch)
{
    const int o = get_global_id(0);
    const int n = get_global_id(1);
    if (o >= out_dim || n >= batch)
        return;
    float s = b[o];
    for (int i = 0; i < in_dim; i++)
        s = fma(in[n * in_dim + i], w[o * in_dim + i], s);
    out[n * out_dim + o] = tanh(s);
}
