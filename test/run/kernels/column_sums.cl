// Reductions down columns of narrow elements, in three results.
__kernel void column_sums(__global const uchar *restrict a, __global uint *restrict sum, __global uchar *restrict low,
                          __global ushort *restrict weighted, int w, int h)
{
    int x = get_global_id(0);
    if (x < w) {
        uint total = 0;
        uchar least = 255;
        ushort moment = 0;
        for (int y = 0; y < h; y++) {
            total += a[y * w + x];
            least = min(least, a[y * w + x]);
            moment += (ushort)(y * a[y * w + x]);
        }
        sum[x] = total;
        low[x] = least;
        weighted[x] = moment;
    }
}
