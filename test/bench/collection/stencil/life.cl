// Conway's game on a torus of bytes.
__kernel void life(__global const uchar *in, __global uchar *out, int w, int h)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    if (x >= w || y >= h)
        return;
    int l = x > 0 ? x - 1 : w - 1;
    int r = x < w - 1 ? x + 1 : 0;
    int t = y > 0 ? y - 1 : h - 1;
    int b = y < h - 1 ? y + 1 : 0;
    int s = in[t * w + l] + in[t * w + x] + in[t * w + r] + in[y * w + l] + in[y * w + r] + in[b * w + l] +
            in[b * w + x] + in[b * w + r];
    out[y * w + x] = s == 3 || (s == 2 && in[y * w + x]) ? 1 : 0;
}
