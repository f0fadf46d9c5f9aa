// Loops that go along a column, or a row, and make each cell of those they have just made.
__kernel void column_recurrences(__global int *a, __global const int *b, __global int *c,
                                 __global int *d, int w, int h)
{
    int x = get_global_id(0);
    if (x >= w)
        return;
    for (int y = 1; y < h; y++)
        a[y * w + x] += a[(y - 1) * w + x];
    for (int z = 2; z < h; z++)
        c[z * w + x] = 3 * c[(z - 1) * w + x] - c[(z - 2) * w + x] + b[z * w + x];
    for (int u = h - 3; u >= 0; u--)
        c[u * w + x] = (b[u * w + x] ^ c[(u + 2) * w + x]) + c[u * w + x];
    for (int v = 0; v < h - 1; v++)
        d[x * h + v] = d[x * h + v + 1] - 2 * d[x * h + v];
}
