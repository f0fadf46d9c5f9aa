// Prefixes along rows, in several ways, by work-items that share a row (F33).
__kernel void sums_so_far(__global const int *a, __global int *q, int rows, int n)
{
    int r = get_global_id(0);
    if (r >= rows)
        return;
    int s = 0;
    for (int k = 0; k < n; k++) {
        s += a[r * n + k];
        q[r * n + k] = s;
    }
}

// What comes before each cell, in place; and the largest from the end.
__kernel void before_each(__global int *q, __global uint *most, __global const uint *a, int rows, int n)
{
    int r = get_global_id(0);
    if (r >= rows)
        return;
    int s = 7;
    for (int k = 0; k < n; k++) {
        int own = q[r * n + k];
        q[r * n + k] = s;
        s += own & 1023;
    }
    uint m = 0;
    for (int l = n - 1; l >= 0; l--) {
        m = max(m, a[r * n + l] % 1000);
        most[r * n + l] = m;
    }
}

// Sums of rows, then all cells by them.
__kernel void normalized(__global const int *a, __global int *q, __global int *sums, int rows, int n)
{
    int r = get_global_id(0);
    if (r >= rows)
        return;
    int s = 0, bits = 0;
    for (int k = 0; k < n; k++) {
        int t = a[r * n + k] & 255;
        q[r * n + k] = t;
        s += t;
        bits |= t;
    }
    sums[r] = s;
    for (int l = 0; l < n; l++)
        q[r * n + l] = q[r * n + l] * 100 / (s | 1) + bits;
}
