// A Julia set as RGBA, four samples per pixel.
__kernel void julia(__global uchar4 *pixels, const int w, const int h, const float2 c, const int iterations)
{
    const int x = get_global_id(0), y = get_global_id(1);
    if (x >= w || y >= h)
        return;
    float acc = 0.0f;
    for (int sy = 0; sy < 2; sy++)
        for (int sx = 0; sx < 2; sx++) {
            float2 z = (float2)(3.0f * (x + 0.5f * sx) / w - 1.5f, 2.0f * (y + 0.5f * sy) / h - 1.0f);
            int i;
            for (i = 0; i < iterations; i++) {
                z = (float2)(z.x * z.x - z.y * z.y, 2.0f * z.x * z.y) + c;
                if (dot(z, z) > 4.0f)
                    break;
            }
            acc += (float)i / iterations;
        }
    uchar v = convert_uchar_sat(acc * 63.75f);
    pixels[y * w + x] = (uchar4)(v, v / 2, 255 - v, 255);
}
