// *(p + e) and &a[e] instead of subscripts.
__kernel void pointer_arithmetic(__global const int *a, __global int *b, int w, int h)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    if (x < w && y < h) {
        __global const int *p = &a[y * w + x];
        *(b + (y * w + x)) = *p + *(a + x);
    }
}
