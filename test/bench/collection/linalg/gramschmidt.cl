// Steps of the modified Gram-Schmidt method for column k.
__kernel void gs_scale(__global const float *a, __global const float *r, __global float *q, int k, int m, int n)
{
    int i = get_global_id(0);
    if (i < m)
        q[i * n + k] = a[i * n + k] / r[k * n + k];
}

__kernel void gs_update(__global float *a, __global float *r, __global const float *q, int k, int m, int n)
{
    int j = get_global_id(0) + (k + 1);
    if (j < n) {
        r[k * n + j] = 0.0f;
        for (int i = 0; i < m; i++)
            r[k * n + j] += q[i * n + k] * a[i * n + j];
        for (int i = 0; i < m; i++)
            a[i * n + j] -= q[i * n + k] * r[k * n + j];
    }
}
