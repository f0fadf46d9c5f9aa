// Smallest and largest of a stretch by strided reads.
__kernel void min_max(__global const int *v, __global int *lo, __global int *hi, int n)
{
    int t = get_global_id(0);
    int total = get_global_size(0);
    int a = INT_MAX, b = INT_MIN;
    for (int i = t; i < n; i += total) {
        a = min(a, v[i]);
        b = max(b, v[i]);
    }
    lo[t] = a;
    hi[t] = b;
}
