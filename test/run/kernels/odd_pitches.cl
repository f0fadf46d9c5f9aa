// A single row may have any pitch: no access is made where it counts.
__kernel void odd_pitches(__global const uchar *a, __global uchar *b, int pitch, int cols, int n)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= cols)
        return;
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += *(__global const float *)(a + y * pitch + 4 * x + 4 * k);
    *(__global float *)(b + y * pitch + 4 * x) = sum;
}
