// Pointers that go on by a uniform amount in a loop and after it, and a loop whose variable is
// halved: the rest of the kernel is optimized all the same.
__kernel void pointers_go_on(__global const int *a, __global int *c, __global int *d, int n, int m)
{
    int i = get_global_id(0);
    if (i >= n)
        return;
    __global const int *p = a;
    for (int t = 0; t < 3; t++) {
        int s = 0;
        for (int k = 0; k < m; k++)
            s += p[i * m + k];
        p += n * m;
        c[i * 3 + t] = s;
    }
    int levels = 0;
    for (int h = m / 2; h > 0; h >>= 1)
        levels += h & 5;
    int r = 0;
    for (int k = 0; k < m; k++)
        r ^= a[i * m + k] + levels;
    d += n;
    d[i] = r;
}
