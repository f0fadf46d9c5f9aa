// A pointer to the work-item's row.
__kernel void row_pointer(__global const float *a, __global float *sum, int w, int h)
{
    int y = get_global_id(0);
    if (y >= h)
        return;
    __global const float *row = a + y * w;
    float s = 0.0f;
    for (int x = 0; x < w; x++)
        s += row[x];
    sum[y] = s;
}
