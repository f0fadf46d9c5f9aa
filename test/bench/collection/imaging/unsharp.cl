// Blur of 3 x 3 and amplified difference, three interleaved channels.
#define CH 3

__kernel void unsharp(__global const uchar *in, __global uchar *out, int w, int h, float amount)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    if (x < 1 || x > w - 2 || y < 1 || y > h - 2)
        return;
    const float k[3] = {0.25f, 0.5f, 0.25f};
    for (int c = 0; c < CH; c++) {
        float blur = 0.0f;
        for (int j = 0; j < 3; j++)
            for (int i = 0; i < 3; i++)
                blur += k[j] * k[i] * in[((y + j - 1) * w + x + i - 1) * CH + c];
        float v = in[(y * w + x) * CH + c];
        out[(y * w + x) * CH + c] = convert_uchar_sat_rte(v + amount * (v - blur));
    }
}
