// One time step from the first plane of u to the second, with columns of s and pairs of q; the
// rows of r are updated through copies that are written back.
__kernel void step(__global float *u, __global const uchar *s, __global const ushort *q,
                   __global float *r, int n)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    if (x < 1 || x >= n - 1 || y < 1 || y >= n - 1)
        return;
    u[n * n + y * n + x] = u[y * n + x + 1] + u[y * n + x - 1] + s[x * n + y];
    r[x * n + y] += q[3 * y] + 2 * q[3 * y + 1];
}
