// The tree of the first reductions in every tutorial: stride 2 * s, bank conflicts included.
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void local_reduce_interleaved(__global const float *in, __global float *out)
{
    __local float t[64];
    uint l = get_local_id(0);
    t[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint s = 1; s < 64; s *= 2) {
        uint i = 2 * s * l;
        if (i < 64)
            t[i] += t[i + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        out[get_group_id(0)] = t[0];
}
