// A sum over every n-th element between other work of the same work-items.
__kernel void round_blocks(__global const uint *restrict a, __global uint *restrict r, __global uint *restrict q, uint n)
{
    uint s = 3;
    r[get_global_id(0)] = a[0];
    for (uint i = get_global_id(0); i < n; i += get_global_size(0))
        s += a[i] * r[get_global_id(0)];
    r[get_global_id(0)] += s;
    for (int k = 0; k < 6; k++)
        q[get_global_id(0) * 6 + k] = r[get_global_id(0)] + (uint)k;
}
