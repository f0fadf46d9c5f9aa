// Blocks of 8 x 8, one coefficient per work-item, the block in local memory.
#define B 8

__kernel void dct8x8(__global const float *src, __global float *dst, __constant float *dct, const uint width)
{
    __local float blk[B * B];
    __local float inter[B * B];
    const uint i = get_local_id(0), j = get_local_id(1);
    const uint idx = get_global_id(1) * width + get_global_id(0);
    blk[j * B + i] = src[idx];
    barrier(CLK_LOCAL_MEM_FENCE);
    float acc = 0.0f;
    for (uint k = 0; k < B; k++)
        acc += dct[j * B + k] * blk[k * B + i];
    inter[j * B + i] = acc;
    barrier(CLK_LOCAL_MEM_FENCE);
    acc = 0.0f;
    for (uint k = 0; k < B; k++)
        acc += inter[j * B + k] * dct[i * B + k];
    dst[idx] = acc;
}
