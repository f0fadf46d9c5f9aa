// A matrix times one vector and its transposed times another, by the same work-items.
__kernel void matvec_both(__global const float *restrict a, __global const float *restrict p,
                          __global const float *restrict r, __global float *restrict q, __global float *restrict s,
                          int n)
{
    int i = get_global_id(0);
    if (i >= n)
        return;
    float across = 0.0f;
    for (int j = 0; j < n; j++)
        across += a[i * n + j] * p[j];
    q[i] = across;
    s[i] = 0.0f;
    for (int j = 0; j < n; j++)
        s[i] += a[j * n + i] * r[j];
}
