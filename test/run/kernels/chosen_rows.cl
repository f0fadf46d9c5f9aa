// Neighbours at borders by choices between flat positions.
__kernel void chosen_rows(__global const float *t, __global float *o, int cols, int rows)
{
    int c = get_global_id(0), r = get_global_id(1);
    if (c >= cols || r >= rows)
        return;
    int i = r * cols + c;
    int north = r == 0 ? i : i - cols, south = r == rows - 1 ? i : i + cols;
    int west = c == 0 ? i : i - 1, east = c == cols - 1 ? i : i + 1;
    o[i] = t[i] + 0.25f * (t[north] + t[south] - 2.0f * t[i]) + 0.125f * (t[east] + t[west] - 2.0f * t[i]);
}
