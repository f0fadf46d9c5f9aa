// Running sums along rows: exclusive in one array, inclusive in another.
__kernel void scan_lines(__global const int *restrict a, __global int *restrict before,
                         __global long *restrict upto, int w, int h)
{
    int y = get_global_id(0);
    if (y < h) {
        long sum = 0;
        for (int x = 0; x < w; x++) {
            before[y * w + x] = (int)sum;
            sum += a[y * w + x];
            upto[y * w + x] = sum;
        }
    }
}
