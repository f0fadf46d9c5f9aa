// A slope per channel, float4 along the row; rows are a multiple of four.
__kernel void prelu4(__global const float4 *in, __global float4 *out, __global const float *slope, const int plane4)
{
    const int i = get_global_id(0);
    const int c = get_global_id(1);
    if (i < plane4) {
        float4 v = in[c * plane4 + i];
        out[c * plane4 + i] = fmax(v, (float4)(0.0f)) + slope[c] * fmin(v, (float4)(0.0f));
    }
}
