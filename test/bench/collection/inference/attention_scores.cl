// Scaled products of queries and keys with a causal mask, head by head.
__kernel void attn_scores(__global const float *q, __global const float *k, __global float *s, int seq, int heads, int dim,
                          float scale)
{
    int j = get_global_id(0);
    int i = get_global_id(1);
    int h = get_global_id(2);
    if (i >= seq || j >= seq)
        return;
    float acc = 0.0f;
    if (j <= i) {
        for (int d = 0; d < dim; d++)
            acc += q[(i * heads + h) * dim + d] * k[(j * heads + h) * dim + d];
        acc *= scale;
    } else
        acc = -1e30f;
    s[(h * seq + i) * seq + j] = acc;
}
