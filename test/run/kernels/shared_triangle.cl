// Affine loops that work-items share: triangles, loops in loops, sums in memory.
__kernel void shared_triangle(__global const int *a, __global const int *b, __global int *c,
                              __global float *d, __global int *e, int n, int m)
{
    int i = get_global_id(0);
    if (i >= n)
        return;
    for (int k = 0; k <= i; k++)
        c[i] += a[i * n + k] * b[k];
    float low = 1000.0f, high = -1000.0f;
    for (int k = n - 1; k >= i; k--) {
        low = fmin(low, (float)a[k * n + i]);
        if (k % 2 == 0)
            high = fmax(high, (float)a[k * n + i]);
    }
    d[i] = high - low;
    for (int j = 0; j < m; j++) {
        int s = j;
        for (int t = 0; t < n; t += 2)
            for (int r = 0; r < 2; r++)
                s += a[i * n + t] * (r + b[t]);
        e[i * m + j] = s;
    }
}
