// A row of weights shared in local memory; every work-item does a row of its own with it.
#define N 16
__kernel __attribute__((reqd_work_group_size(N, 1, 1)))
void local_rows(__global const float *restrict in, __global float *restrict out,
                __global const float *restrict weights, int w)
{
    __local float shared[N], scaled[N];
    int l = get_local_id(0);
    int row = get_group_id(0) * N + l;
    shared[l] = weights[l];
    scaled[l] = weights[l] * 0.5f;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < N; k++)
        out[row * w + k] = in[row * w + k] * shared[k] + scaled[N - 1 - k];
}
