// A filter over a window in local memory that the host passes; its size is the group's.
__kernel void local_pointer_window(__global const float *in, __global float *out,
                                   __global const float *weights, __local float *window,
                                   int taps)
{
    int l = get_local_id(0), size = get_local_size(0);
    int start = get_group_id(0) * size;
    window[l] = in[start + l];
    if (l < taps)
        window[size + l] = in[start + size + l];
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0;
    for (int k = 0; k <= taps; k++)
        sum += weights[k] * window[l + k];
    out[start + l] = sum;
}
