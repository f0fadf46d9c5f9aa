// Whole groups leave before the barrier; all work-items of a group decide alike.
#define G 16
__kernel __attribute__((reqd_work_group_size(G, 1, 1)))
void local_early_return(__global const float *in, __global float *out, int groups)
{
    __local float t[G];
    if (get_group_id(0) >= groups)
        return;
    int l = get_local_id(0);
    int base = get_group_id(0) * G;
    t[l] = in[base + l];
    barrier(CLK_LOCAL_MEM_FENCE);
    float best = t[0];
    for (int k = 1; k < G; k++)
        best = fmax(best, t[k]);
    out[base + l] = t[l] / best;
}
