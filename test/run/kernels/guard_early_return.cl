// The guard returns early; the launch may be larger than n.
__kernel void guard_early_return(__global const float *a, __global float *b, int n)
{
    int i = get_global_id(0);
    if (i >= n)
        return;
    b[i] = 2.0f * a[i] + 1.0f;
}
