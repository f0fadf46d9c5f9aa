// Swizzles on both sides, element access, hi, lo, even and odd.
__kernel void swizzle(__global const float4 *a, __global float4 *b, __global float2 *c)
{
    int i = get_global_id(0);
    float4 v = a[i];
    float4 r;
    r.xy = v.wz;
    r.zw = v.even;
    r.s0 += v.s3;
    b[i] = r.wzyx;
    c[i] = v.hi - v.lo + v.odd;
}
