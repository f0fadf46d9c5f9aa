// Sums along rows of both operands: in local variables, in memory, of integers, with a square.

__kernel void product(__global const float *a, __global const float *b, __global float *c, int n,
                      int m)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= m || y >= m)
        return;
    for (int k = 0; k < n; k++)
        c[y * m + x] += a[y * n + k] * b[k * m + x];
}

__kernel void counts(__global const int *a, __global const int *b, __global int *c, int n, int m)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= m || y >= m)
        return;
    int sum = 7, weight = 0;
    for (int k = 0; k < n; k++) {
        int left = a[y * n + k] << 1;
        sum += left * b[x * n + k];
        weight -= left * left;
    }
    c[y * m + x] = sum ^ weight;
}

__kernel void gram(__global const float *a, __global float *c, int n, int m)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= m || y >= m)
        return;
    float sum = 0.0f;
    for (int k = 0; k < n; ++k)
        sum = sum + a[y * n + k] * a[x * n + k];
    c[y * m + x] = sum;
}
