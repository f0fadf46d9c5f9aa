// Both conditions in one guard.
__kernel void guard_conjunction(__global const float *a, __global float *b, int w, int h)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    if (x < w && y < h) {
        b[y * w + x] = a[y * w + x] * a[y * w + x];
    }
}
