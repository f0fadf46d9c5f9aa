// a and b may be the same buffer; each work-item stays in its own elements.
__kernel void alias_same(__global const float *a, __global float *b, int m)
{
    int i = get_global_id(0);
    b[i * m] = 0.0f;
    for (int k = 0; k < m; k++)
        b[i * m] += a[i * m + k] + 1.0f;
}
