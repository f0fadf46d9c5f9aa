// Blocks of two values per byte in a struct, a group per row.
#define QK4 32
#define WG 64

typedef struct {
    float d;
    uchar qs[QK4 / 2];
} block_q4;

__kernel void gemv_q4(__global const block_q4 *w, __global const float *x, __global float *y, const int blocks)
{
    __local float tmp[WG];
    const int row = get_group_id(0);
    const int tid = get_local_id(0);
    float sum = 0.0f;
    for (int b = tid; b < blocks; b += WG) {
        __global const block_q4 *blk = w + row * blocks + b;
        float s = 0.0f;
        for (int j = 0; j < QK4 / 2; ++j) {
            const int v0 = (blk->qs[j] & 0x0F) - 8;
            const int v1 = (blk->qs[j] >> 4) - 8;
            s += v0 * x[b * QK4 + j] + v1 * x[b * QK4 + j + QK4 / 2];
        }
        sum += s * blk->d;
    }
    tmp[tid] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = WG / 2; s > 0; s >>= 1) {
        if (tid < s)
            tmp[tid] += tmp[tid + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (tid == 0)
        y[row] = tmp[0];
}
