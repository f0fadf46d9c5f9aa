// Products of rows with rows, and nothing for the pairs above the diagonal.
__kernel void causal_scores(__global const float *query, __global const float *key, __global float *restrict score,
                            int length, int depth, float scale)
{
    int to = get_global_id(0), from = get_global_id(1);
    if (from >= length || to >= length)
        return;
    float sum = 0.0f;
    for (int d = 0; d < depth; d++)
        sum += query[from * depth + d] * key[to * depth + d];
    score[from * length + to] = to > from ? -INFINITY : sum * scale;
}
