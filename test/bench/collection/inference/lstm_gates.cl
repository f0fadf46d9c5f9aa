// Cell and hidden state from the sums of the four gates.
inline float sigm(float x) { return 1.0f / (1.0f + exp(-x)); }

__kernel void lstm_cell(__global const float *gates, __global const float *c_prev, __global float *c_next,
                        __global float *h_next, int hidden, int batch)
{
    int j = get_global_id(0);
    int b = get_global_id(1);
    if (j >= hidden || b >= batch)
        return;
    __global const float *g = gates + b * 4 * hidden;
    float i = sigm(g[j]);
    float f = sigm(g[hidden + j]);
    float n = tanh(g[2 * hidden + j]);
    float o = sigm(g[3 * hidden + j]);
    float c = f * c_prev[b * hidden + j] + i * n;
    c_next[b * hidden + j] = c;
    h_next[b * hidden + j] = o * tanh(c);
}
