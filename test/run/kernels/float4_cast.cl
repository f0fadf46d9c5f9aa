// Four elements at a time through a cast.
__kernel void float4_cast(__global const float *a, __global float *b, int n)
{
    int i = get_global_id(0);
    if (i < n / 4) {
        float4 v = ((__global const float4 *)a)[i];
        ((__global float4 *)b)[i] = v * v + (float4)(1.0f, 2.0f, 3.0f, 4.0f);
    }
}
