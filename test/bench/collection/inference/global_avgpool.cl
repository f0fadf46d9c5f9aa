// A mean per channel: one work-item, or one group with a tree.
__kernel void global_avgpool_naive(__global const float *input, __global float *output, int n, int hw)
{
    int id = get_global_id(0);
    if (id >= n)
        return;
    output[id] = 0;
    for (int i = 0; i < hw; ++i)
        output[id] += input[i + hw * id];
    output[id] /= hw;
}

__kernel void global_avgpool_tree(__global const float *input, __global float *output, int hw)
{
    __local float tmp[256];
    int c = get_group_id(0);
    int t = get_local_id(0);
    float s = 0.0f;
    for (int i = t; i < hw; i += 256)
        s += input[c * hw + i];
    tmp[t] = s;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 128; k > 0; k >>= 1) {
        if (t < k)
            tmp[t] += tmp[t + k];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (t == 0)
        output[c] = tmp[0] / hw;
}
