// The step of an elimination: only what lies behind row and column k, in one array.
__kernel void lu_update(__global float *a, int n, int k)
{
    int j = get_global_id(0);
    int i = get_global_id(1);
    if (i > k && i < n && j > k && j < n)
        a[i * n + j] -= a[i * n + k] * a[k * n + j];
}
