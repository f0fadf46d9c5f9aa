__kernel void scale(__global const float *restrict a, __global float *restrict b, int n)
{
    int i = get_global_id(0);
    if (i >= n)
        return;
    for (int k = 0; k < n; k++)
        b[k * n + i] = 2 * a[k * n + i];
}
