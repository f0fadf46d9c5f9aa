// A product by tiles whose first cells move along A and B, and one by columns whose tiles are 8 x 4.
#define EDGE 8
__kernel void product_moving(__global float *c, __global const float *a, __global const float *b, int wa, int wb)
{
    __local float as[EDGE * EDGE], bs[EDGE * EDGE];
    const int lx = get_local_id(0), ly = get_local_id(1);
    const int tile = get_group_id(0), band = get_group_id(1);
    const int first = wa * EDGE * band;
    const int last = first + wa - 1;
    float sum = 0.0f;
    for (int p = first, q = EDGE * tile; p <= last; p += EDGE, q += EDGE * wb) {
        as[ly * EDGE + lx] = a[p + wa * ly + lx];
        bs[ly * EDGE + lx] = b[q + wb * ly + lx];
        barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
        for (int k = 0; k < EDGE; ++k)
            sum += as[ly * EDGE + k] * bs[k * EDGE + lx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[get_global_id(1) * get_global_size(0) + get_global_id(0)] = sum;
}

__kernel void product_columns(__global float *restrict c, __global const float *restrict a, __global const float *restrict b, uint n)
{
    __local float as[4][EDGE];
    const uint lx = get_local_id(0), ly = get_local_id(1), x = get_global_id(0), y = get_global_id(1);
    float sum = 0.0f;
    for (uint k0 = 0; k0 < n; k0 += EDGE) {
        as[ly][lx] = a[y * n + k0 + lx];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint k = 0; k < EDGE; k++)
            sum += as[ly][k] * b[x * n + k0 + k];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[y * get_global_size(0) + x] = sum;
}
