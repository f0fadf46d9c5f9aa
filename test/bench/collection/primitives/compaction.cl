// Flags of what is kept, and the scatter by the places that a scan gives.
__kernel void flag_positive(__global const float *in, __global int *flags, float threshold, int n)
{
    int i = get_global_id(0);
    if (i < n)
        flags[i] = in[i] > threshold ? 1 : 0;
}

__kernel void scatter(__global const float *in, __global const int *flags, __global const int *place, __global float *out, int n)
{
    int i = get_global_id(0);
    if (i < n && flags[i])
        out[place[i]] = in[i];
}
