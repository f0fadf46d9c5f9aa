// A tiled product that adds up in global memory, between barriers for local memory.
#define TS 4
__kernel void local_matmul_memory(__global const double *a, __global const double *b,
                                  __global double *c, int n)
{
    __local double as[TS * TS];
    __local double bs[TS * TS];
    int lx = get_local_id(0), ly = get_local_id(1);
    int x = get_group_id(0) * TS + lx, y = get_group_id(1) * TS + ly;
    for (int t = 0; t < n; t += TS) {
        as[ly * TS + lx] = a[y * n + t + lx];
        bs[ly * TS + lx] = b[(t + ly) * n + x];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < TS; k++)
            c[y * n + x] += as[ly * TS + k] * bs[k * TS + lx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
