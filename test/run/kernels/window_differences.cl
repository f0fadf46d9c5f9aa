// The sum of differences of a window at every displacement: four loops, bytes, overlapping windows.
__kernel void window_differences(__global const uchar *restrict left, __global const uchar *restrict right,
                                 __global ushort *restrict cost, int w, int h, int shifts, int r)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    if (x >= r + shifts && x < w - r && y >= r && y < h - r)
        for (int s = 0; s < shifts; s++) {
            ushort sum = 0;
            for (int v = -r; v <= r; v++)
                for (int u = -r; u <= r; u++)
                    sum += abs_diff(left[(y + v) * w + x + u], right[(y + v) * w + x + u - s]);
            cost[(s * h + y) * w + x] = sum;
        }
}
