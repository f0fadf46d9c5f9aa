// Pointers that walk down a column of float4 and back up.
__kernel void recursive_columns(__global const float4 *in, __global float4 *out, int w, int h,
                              float a0, float a1, float b1, float b2)
{
    unsigned int x = get_global_id(0);
    if (x >= (unsigned)w) return;
    in += x; out += x;
    float4 xp = (float4)0.0f, yp = (float4)0.0f, yb = (float4)0.0f;
    for (int y = 0; y < h; y++) {
        float4 xc = *in;
        float4 yc = (xc * a0) + (xp * a1) - (yp * b1) - (yb * b2);
        *out = yc;
        xp = xc; yb = yp; yp = yc;
        in += w; out += w;
    }
    in -= w; out -= w;
    float4 xn = (float4)0.0f, xa = xn, yn = xn, ya = xn;
    for (int y = h - 1; y >= 0; y--) {
        float4 xc = *in;
        float4 yc = (xn * a0) + (xa * a1) - (yn * b1) - (ya * b2);
        xa = xn; xn = xc; ya = yn; yn = yc;
        *out = *out + yc;
        in -= w; out -= w;
    }
}
