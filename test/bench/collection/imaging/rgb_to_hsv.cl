// Colours as float4 to hue, saturation, value.
__kernel void rgb2hsv(__global const float4 *in, __global float4 *out, uint n)
{
    uint i = get_global_id(0);
    if (i >= n)
        return;
    float4 p = in[i];
    float mx = fmax(p.x, fmax(p.y, p.z));
    float mn = fmin(p.x, fmin(p.y, p.z));
    float d = mx - mn;
    float hue = 0.0f;
    if (d > 0.0f) {
        if (mx == p.x)
            hue = (p.y - p.z) / d;
        else if (mx == p.y)
            hue = 2.0f + (p.z - p.x) / d;
        else
            hue = 4.0f + (p.x - p.y) / d;
        hue *= 60.0f;
        if (hue < 0.0f)
            hue += 360.0f;
    }
    out[i] = (float4)(hue, mx > 0.0f ? d / mx : 0.0f, mx, p.w);
}
