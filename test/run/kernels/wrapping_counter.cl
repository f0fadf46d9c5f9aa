// A counter of 8 bits that wraps.
__kernel void wrapping_counter(__global const float *a, __global float *b, int n)
{
    int x = get_global_id(0);
    if (x >= n) return;
    float s = 0;
    for (uchar k = 250; k != 4; k++) s += a[x * 256 + k];
    b[x] = s;
}
