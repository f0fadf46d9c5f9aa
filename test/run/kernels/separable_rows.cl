// The horizontal alternate of a filter, with indices clamped to the row.
__kernel void separable_rows(__global const uchar *restrict in, __global short *restrict out, int w, int h)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    if (x < w && y < h) {
        int left = x > 0 ? x - 1 : 0;
        int right = x < w - 1 ? x + 1 : w - 1;
        out[y * w + x] = (short)(in[y * w + left] + 2 * in[y * w + x] + in[y * w + right]);
    }
}
