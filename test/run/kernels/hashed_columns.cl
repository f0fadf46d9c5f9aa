// A hash of 64 bits down each column.
#define F(x, y, z) ((x & y) | (~x & z))
#define G(x, y, z) ((x & z) | (y & ~z))
#define STEP(f, a, b, c, d, x, t, s) a += f(b, c, d) + x + t; a = rotate(a, (uint)s) + b;
__kernel void hashed_columns(__global const uchar *data, __global ulong *h, uint len, uint n)
{
    uint i = get_global_id(0);
    if (i >= n) return;
    ulong x = 14695981039346656037UL;
    for (uint k = 0; k < len; k++) { x ^= data[k * n + i]; x *= 1099511628211UL; }
    h[i] = x;
}
