// Every work-item walks along a row.
__kernel void rows(__global const float *restrict s, __global float *restrict r, int n)
{
    int i = get_global_id(0);
    for (int k = 1; k < n - 1; k++)
        r[i * n + k] = s[i * n + k - 1] + s[i * n + k + 1];
}
