// Points of a plane feel charges within a range: of the squares that are summed, only one is not the same for a
// whole row of points.
__kernel void sum_of_rows_apart(__global const float4 *charge, __global float *restrict potential, int charges, int w,
                                int h, float step, float range)
{
    int col = get_global_id(0), row = get_global_id(1);
    if (col >= w || row >= h)
        return;
    float sum = 0.0f;
    for (int c = 0; c < charges; c++) {
        float across = col * step - charge[c].x, down = row * step - charge[c].y, height = charge[c].z;
        float square = across * across + down * down + height * height;
        if (square < range)
            sum += charge[c].w * (1.0f - square / range);
    }
    potential[row * w + col] = sum;
}
