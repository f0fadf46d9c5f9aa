// The parameters themselves are moved to the work-item's rows.
__kernel void pointer_offset(__global const float *a, __global float *b, int w)
{
    int y = get_global_id(1);
    a += y * w;
    b += y * w;
    int x = get_global_id(0);
    b[x] = a[x] * 3.0f;
}
