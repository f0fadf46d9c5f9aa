// A grid-stride loop: few work-items take all elements.
__kernel void grid_stride(__global const float *a, __global float *b, int n)
{
    for (int i = get_global_id(0); i < n; i += get_global_size(0))
        b[i] = a[i] * 0.5f - 1.0f;
}
