// Probabilities times values.
__kernel void attn_apply(__global const float *p, __global const float *v, __global float *o, int seq, int heads, int dim)
{
    int d = get_global_id(0);
    int i = get_global_id(1);
    int h = get_global_id(2);
    if (d >= dim || i >= seq || h >= heads)
        return;
    float acc = 0.0f;
    for (int j = 0; j < seq; j++)
        acc += p[(h * seq + i) * seq + j] * v[(j * heads + h) * dim + d];
    o[(i * heads + h) * dim + d] = acc;
}
