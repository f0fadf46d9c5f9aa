// The sum lives in memory, and another array is updated beside it.
__kernel void memory_accumulation(__global const float *a, __global float *s,
                                  __global float *p, int n, int m)
{
    int i = get_global_id(0);
    s[i] = 0.0f;
    for (int k = 0; k < m; k++) {
        s[i] += a[k * n + i];
        p[i] *= a[k * n + i];
    }
}
