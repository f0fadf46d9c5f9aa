// Sums that belong to pairs of a work-item and an iteration: triangles with and without the diagonal,
// above and below it, mirrored; rectangles whose neighbours lie along the loop, or along the work-items.
__kernel void upper_mirrored(__global float *c, __global const float *a, int m, int n)
{
    int x = get_global_id(0);
    if (x < m) {
        for (int y = x; y < m; y++) {
            c[x * m + y] = 0.0f;
            for (int k = 0; k < n; k++)
                c[x * m + y] += a[k * m + x] * a[k * m + y];
            c[y * m + x] = c[x * m + y];
        }
    }
}

__kernel void upper_strict(__global float *c, __global const float *a, int m, int n)
{
    int x = get_global_id(0);
    if (x < m - 1) {
        c[x * m + x] = 1.0f;
        for (int y = x + 1; y < m; y++) {
            for (int k = 0; k < n; k++)
                c[x * m + y] += a[k * m + x] * a[k * m + y];
            c[y * m + x] = c[x * m + y];
        }
    }
}

__kernel void lower_sums(__global float *restrict c, __global const float *restrict a, int m, int n)
{
    int x = get_global_id(0);
    if (x >= m)
        return;
    for (int y = 0; y <= x; y++) {
        float sum = 0.0f;
        for (int k = 0; k < n; k++) {
            float d = a[k * m + x] - a[k * m + y];
            sum += d * d;
        }
        c[y * m + x] = sum;
    }
}

__kernel void lower_down(__global int *restrict c, __global const int *restrict a, int m, int n)
{
    int x = get_global_id(0);
    if (x >= m)
        return;
    for (int y = x - 1; y >= 0; y--) {
        int least = 1 << 30;
        for (int k = 0; k < n; k++)
            least = min(least, a[k * m + x] + a[k * m + y]);
        c[x * m + y] = least;
    }
}

__kernel void by_rows(__global float *restrict c, __global const float *restrict a,
                      __global const float *restrict b, int m, int n)
{
    int x = get_global_id(0);
    if (x >= m)
        return;
    for (int y = 0; y < m; y++) {
        float sum = c[x * m + y];
        for (int k = 0; k < n; k++)
            sum += a[x * n + k] * b[k * m + y];
        c[x * m + y] = sum;
    }
}

__kernel void by_columns(__global double *restrict c, __global const float *restrict a,
                         __global const float *restrict b, int m, int n)
{
    int x = get_global_id(0);
    for (int y = 2; y < m; y++) {
        double sum = 0.0;
        for (int k = 0; k < n; k++)
            sum += (double)a[y * n + k] * b[k * m + x];
        c[y * m + x] = sum;
    }
}
