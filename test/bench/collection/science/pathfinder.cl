// Several rows of a dynamic program per launch, in local memory with a halo.
#define HALO 1
#define IN_RANGE(x, min, max) ((x) >= (min) && (x) <= (max))
#define CLAMP_RANGE(x, min, max) x = (x < (min)) ? min : ((x > (max)) ? max : x)

__kernel void dynproc(int iteration, __global int *gpuWall, __global int *gpuSrc, __global int *gpuResults, int cols,
                      int startStep, int border, __local int *prev, __local int *result)
{
    int BLOCK_SIZE = get_local_size(0);
    int bx = get_group_id(0);
    int tx = get_local_id(0);
    int small_block_cols = BLOCK_SIZE - iteration * HALO * 2;
    int blkX = small_block_cols * bx - border;
    int blkXmax = blkX + BLOCK_SIZE - 1;
    int xidx = blkX + tx;
    int validXmin = (blkX < 0) ? -blkX : 0;
    int validXmax = (blkXmax > cols - 1) ? BLOCK_SIZE - 1 - (blkXmax - cols + 1) : BLOCK_SIZE - 1;
    int W = tx - 1;
    int E = tx + 1;
    W = (W < validXmin) ? validXmin : W;
    E = (E > validXmax) ? validXmax : E;
    bool isValid = IN_RANGE(tx, validXmin, validXmax);

    prev[tx] = 0;
    if (IN_RANGE(xidx, 0, cols - 1))
        prev[tx] = gpuSrc[xidx];
    barrier(CLK_LOCAL_MEM_FENCE);
    bool computed = false;
    for (int i = 0; i < iteration; i++) {
        computed = false;
        if (IN_RANGE(tx, i + 1, BLOCK_SIZE - i - 2) && isValid) {
            computed = true;
            int shortest = min(min(prev[W], prev[tx]), prev[E]);
            result[tx] = shortest + gpuWall[cols * (startStep + i) + xidx];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (i == iteration - 1)
            break;
        if (computed)
            prev[tx] = result[tx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (computed)
        gpuResults[xidx] = result[tx];
}
