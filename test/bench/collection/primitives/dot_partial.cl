// A product per group, float4 loads.
__kernel void dot_product(__global const float4 *a, __global const float4 *b, __global float *partial, int n4)
{
    __local float cache[128];
    int lid = get_local_id(0);
    float temp = 0.0f;
    for (int i = get_global_id(0); i < n4; i += get_global_size(0))
        temp += dot(a[i], b[i]);
    cache[lid] = temp;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 64; i != 0; i /= 2) {
        if (lid < i)
            cache[lid] += cache[lid + i];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lid == 0)
        partial[get_group_id(0)] = cache[0];
}
