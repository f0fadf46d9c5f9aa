// One pass of a radix-2 Stockham transform, batched along the second dimension.
__kernel void fft_radix2(__global const float2 *x, __global float2 *y, int p, int n)
{
    int i = get_global_id(0);
    int b = get_global_id(1);
    int t = n / 2;
    if (i >= t)
        return;
    int k = i & (p - 1);
    int j = ((i - k) << 1) + k;
    __global const float2 *src = x + b * n;
    __global float2 *dst = y + b * n;
    float alpha = -3.14159265f * (float)k / (float)p;
    float c, s;
    s = sincos(alpha, &c);
    float2 u0 = src[i];
    float2 u1 = src[i + t];
    u1 = (float2)(u1.x * c - u1.y * s, u1.x * s + u1.y * c);
    dst[j] = u0 + u1;
    dst[j + p] = u0 - u1;
}
