// Products of rows with rows up to their own, head by head; -1 in place of the others.
__kernel void causal_products(__global const float *restrict q, __global const float *restrict p,
                              __global float *restrict s, int length, int heads, int depth, float scale)
{
    int j = get_global_id(0), i = get_global_id(1), h = get_global_id(2);
    if (i >= length || j >= length)
        return;
    float sum = 0.0f;
    if (j <= i) {
        for (int k = 0; k < depth; k++)
            sum += q[(i * heads + h) * depth + k] * p[(j * heads + h) * depth + k];
        sum *= scale;
    } else
        sum = -1.0f;
    s[(h * length + i) * length + j] = sum;
}
