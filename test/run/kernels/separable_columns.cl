// The vertical alternate: seven rows, back to bytes.
__kernel void separable_columns(__global const short *restrict in, __constant short *weight,
                                __global uchar *restrict out, int w, int h)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    if (x < w && y >= 3 && y < h - 3) {
        int sum = 0;
        for (int k = -3; k <= 3; k++)
            sum += weight[k + 3] * in[(y + k) * w + x];
        out[y * w + x] = convert_uchar_sat(sum >> 6);
    }
}
