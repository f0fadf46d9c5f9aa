// Pixels of a struct become three planes, and luma in bytes.
typedef struct {
    uchar b, g, r;
} Pixel;

__kernel void color_planes(__global const Pixel *restrict in, __global float *restrict y, __global float *restrict u,
                           __global float *restrict v, __global uchar *restrict luma, int w, int h)
{
    int i = get_global_id(0);
    int j = get_global_id(1);
    if (i < w && j < h) {
        float r = in[j * w + i].r, g = in[j * w + i].g, b = in[j * w + i].b;
        float l = 0.299f * r + 0.587f * g + 0.114f * b;
        y[j * w + i] = l;
        u[j * w + i] = 0.492f * (b - l);
        v[j * w + i] = 0.877f * (r - l);
        luma[j * w + i] = convert_uchar_sat(l);
    }
}
