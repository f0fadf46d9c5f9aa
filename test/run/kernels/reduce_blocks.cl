// Blocks of two by three become one cell each: maximum and sum.
__kernel void reduce_blocks(__global const short *restrict in, __global short *restrict high, __global int *restrict sum,
                            int w, int h)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    if (x < w && y < h) {
        short best = SHRT_MIN;
        int total = 0;
        for (int v = 0; v < 3; v++)
            for (int u = 0; u < 2; u++) {
                short s = in[(3 * y + v) * (2 * w) + 2 * x + u];
                best = max(best, s);
                total += s;
            }
        high[y * w + x] = best;
        sum[y * w + x] = total;
    }
}
