// One group per row, partial sums in local memory.
#define WG 128

__kernel void gemv_group(__global const float *A, __global const float *x, __global float *y, int m, int n)
{
    __local float partial[WG];
    int row = get_group_id(0);
    int lid = get_local_id(0);
    float sum = 0.0f;
    for (int j = lid; j < n; j += WG)
        sum += A[row * n + j] * x[j];
    partial[lid] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = WG / 2; s > 0; s >>= 1) {
        if (lid < s)
            partial[lid] += partial[lid + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lid == 0)
        y[row] = partial[0];
}
