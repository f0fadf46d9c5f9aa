// Nested guards, each with an else branch that writes too.
__kernel void guard_nested_else(__global const float *a, __global float *b,
                                __global int *edge, int w, int h)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    if (y < h) {
        if (x < w)
            b[y * w + x] = a[y * w + x] + 1.0f;
        else
            edge[y * 5 + x - w] = x - w;
    } else if (x < w) {
        edge[5 * h + (y - h) * w + x] = -1;
    }
}
