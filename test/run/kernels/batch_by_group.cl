// One matrix of a batch per row of groups.
__kernel void batch_by_group(__global float *A, __global const float *x, int n, int stride, int m)
{
    A += get_group_id(1) * stride;
    x += get_group_id(1) * n;
    const int i = get_global_id(0);
    if (i < n) {
        for (int r = 0; r < m; r++)
            A[r * n + i] *= x[i];
    }
}
