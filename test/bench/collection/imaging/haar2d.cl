// One level of a two-dimensional Haar transform, four bands.
__kernel void haar(__global const float *in, __global float *out, int w, int h)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    int hw = w / 2, hh = h / 2;
    if (x < hw && y < hh) {
        float a = in[(2 * y) * w + 2 * x];
        float b = in[(2 * y) * w + 2 * x + 1];
        float c = in[(2 * y + 1) * w + 2 * x];
        float d = in[(2 * y + 1) * w + 2 * x + 1];
        out[y * w + x] = 0.5f * (a + b + c + d);
        out[y * w + x + hw] = 0.5f * (a - b + c - d);
        out[(y + hh) * w + x] = 0.5f * (a + b - c - d);
        out[(y + hh) * w + x + hw] = 0.5f * (a - b - c + d);
    }
}
