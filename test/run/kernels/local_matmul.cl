// The textbook's tiled product; the sum is kept in the result.
#define TS 8
__kernel __attribute__((reqd_work_group_size(TS, TS, 1)))
void local_matmul(__global const float *a, __global const float *b, __global float *c, int n)
{
    __local float as[TS][TS], bs[TS][TS];
    const int col = get_local_id(0), row = get_local_id(1);
    const int x = TS * get_group_id(0) + col;
    const int y = TS * get_group_id(1) + row;
    float sum = 0.0f;
    for (int t = 0; t < n / TS; t++) {
        as[row][col] = a[y * n + t * TS + col];
        bs[row][col] = b[(t * TS + row) * n + x];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < TS; k++)
            sum += as[row][k] * bs[k][col];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[y * n + x] = sum;
}
