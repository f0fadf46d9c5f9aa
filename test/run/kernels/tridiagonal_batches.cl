// Elimination and back substitution for many systems, with a private array.
__kernel void tridiagonal_batches(__global const float *a, __global const float *b, __global const float *c, __global float *d, __global float *x, int n, int batch)
{
    int s = get_global_id(0);
    if (s >= batch) return;
    float cp[32];
    cp[0] = c[s] / b[s];
    d[s] = d[s] / b[s];
    for (int i = 1; i < n; i++) {
        float m = 1.0f / (b[i * batch + s] - a[i * batch + s] * cp[i - 1]);
        cp[i] = c[i * batch + s] * m;
        d[i * batch + s] = (d[i * batch + s] - a[i * batch + s] * d[(i - 1) * batch + s]) * m;
    }
    x[(n - 1) * batch + s] = d[(n - 1) * batch + s];
    for (int i = n - 2; i >= 0; i--) x[i * batch + s] = d[i * batch + s] - cp[i] * x[(i + 1) * batch + s];
}
