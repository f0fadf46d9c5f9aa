// Two phases: a line with its halo goes to local memory; behind the barrier every work-item reads three cells.
__kernel void two_phase_smooth(__global const float *restrict a, __global float *restrict b, __local float *line, int n)
{
    int i = get_global_id(0);
    int l = get_local_id(0);
    int size = get_local_size(0);
    line[l + 1] = i < n ? a[i] : 0.0f;
    if (l == 0)
        line[0] = i > 0 ? a[min(i, n) - 1] : 0.0f;
    if (l == size - 1)
        line[size + 1] = i + 1 < n ? a[i + 1] : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < n)
        b[i] = 0.25f * line[l] + 0.5f * line[l + 1] + 0.25f * line[l + 2];
}
