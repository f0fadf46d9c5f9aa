// A value stays where it is a peak along the direction that another array gives.
__kernel void peaks_across(__global const float *strength, __global const uchar *direction,
                           __global uchar *restrict peak, int w, int h, float least)
{
    int x = get_global_id(0), y = get_global_id(1), at = y * w + x;
    if (x >= w || y >= h)
        return;
    if (x == 0 || y == 0 || x == w - 1 || y == h - 1) {
        peak[at] = 0;
        return;
    }
    float one, other;
    switch (direction[at] & 3) {
    case 0:
        one = strength[at - 1];
        other = strength[at + 1];
        break;
    case 1:
        one = strength[at - w + 1];
        other = strength[at + w - 1];
        break;
    case 2:
        one = strength[at - w];
        other = strength[at + w];
        break;
    default:
        one = strength[at - w - 1];
        other = strength[at + w + 1];
    }
    float value = strength[at];
    peak[at] = value >= one && value >= other && value > least ? 255 : 0;
}
