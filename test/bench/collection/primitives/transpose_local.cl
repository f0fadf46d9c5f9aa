// Rows to columns over a tile in local memory without padding.
#define BLOCK_DIM 16

__kernel void transpose(__global float *odata, __global const float *idata, int width, int height,
                        __local float *block)
{
    unsigned int xIndex = get_global_id(0);
    unsigned int yIndex = get_global_id(1);
    if (xIndex < width && yIndex < height)
        block[get_local_id(1) * BLOCK_DIM + get_local_id(0)] = idata[yIndex * width + xIndex];
    barrier(CLK_LOCAL_MEM_FENCE);
    xIndex = get_group_id(1) * BLOCK_DIM + get_local_id(0);
    yIndex = get_group_id(0) * BLOCK_DIM + get_local_id(1);
    if (xIndex < height && yIndex < width)
        odata[yIndex * height + xIndex] = block[get_local_id(0) * BLOCK_DIM + get_local_id(1)];
}
