// Source over destination for RGBA bytes.
__kernel void alpha_blend(__global const uchar4 *fg, __global const uchar4 *bg, __global uchar4 *out, const int n)
{
    const int i = get_global_id(0);
    if (i >= n)
        return;
    uint4 f = convert_uint4(fg[i]);
    uint4 b = convert_uint4(bg[i]);
    uint a = f.w;
    uint4 r = (f * a + b * (255 - a) + 127) / 255;
    r.w = a + (b.w * (255 - a)) / 255;
    out[i] = convert_uchar4_sat(r);
}
