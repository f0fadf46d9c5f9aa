// The trip count comes from memory.
__kernel void data_dependent_loop(__global const int *begin, __global const int *length,
                                  __global const float *a, __global float *b, int n)
{
    int i = get_global_id(0);
    if (i >= n)
        return;
    float s = 0.0f;
    for (int k = 0; k < length[i]; k++)
        s += a[begin[i] + k];
    b[i] = s;
}
