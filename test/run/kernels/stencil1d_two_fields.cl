// Two fields that are read with different halos, in two results.
__kernel void stencil1d_two_fields(__global const float *restrict e, __global const float *restrict b,
                                   __global float *restrict e2, __global float *restrict b2, float c, int n)
{
    int i = get_global_id(0);
    if (i >= 2 && i < n - 1) {
        e2[i] = e[i] + c * (b[i] - b[i - 1]);
        b2[i] = b[i] + c * (e[i + 1] - e[i]) - 0.1f * (e[i - 2] + b[i - 2]);
    }
}
