// Rows of a table by tokens, plus positions.
__kernel void embed(__global const int *tokens, __global const float *table, __global const float *position,
                    __global float *out, int dim, int n_tokens)
{
    int d = get_global_id(0);
    int t = get_global_id(1);
    if (d < dim && t < n_tokens)
        out[t * dim + d] = table[tokens[t] * dim + d] + position[t * dim + d];
}
