// Loops of every kind of head, with bounds from memory.
__kernel void shared_heads(__global const int *first, __global const int *last,
                           __global const int *a, __global int *up, __global int *down,
                           __global uint *apart, __global ulong *wide, int w, int h)
{
    int y = get_global_id(1), x = get_global_id(0);
    if (x >= w || y >= h)
        return;
    int i = y * w + x;
    int s = 0, k;
    for (k = first[i]; k <= last[i]; ++k)
        s += a[k];
    up[i] = s;
    int t = 1;
    for (int j = last[i], end = first[i]; j > end; j -= 3)
        t *= 2 * a[j] + 1;
    down[i] = t;
    uint u = 7u;
    for (uint m = (uint)first[i]; m < (uint)last[i]; m += 2u) {
        uint v;
        v = (uint)a[m];
        u ^= v * v;
    }
    apart[i] = u;
    ulong z = 0;
    for (size_t q = first[i]; q < last[i]; q++)
        z = max(z, (ulong)a[q] + q);
    wide[i] = z;
}
