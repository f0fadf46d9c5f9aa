// Temperature with a pyramid of several time steps in local memory.
#define BLOCK_SIZE 16
#define IN_RANGE(x, min, max) ((x) >= (min) && (x) <= (max))
#define MIN(a, b) ((a) <= (b) ? (a) : (b))

__kernel void hotspot_block(int iteration, __global float *power, __global float *temp_src, __global float *temp_dst,
                            int grid_cols, int grid_rows, int border, float stepDivCap, float Rx_1, float Ry_1,
                            float Rz_1)
{
    __local float temp_on_cuda[BLOCK_SIZE][BLOCK_SIZE];
    __local float power_on_cuda[BLOCK_SIZE][BLOCK_SIZE];
    __local float temp_t[BLOCK_SIZE][BLOCK_SIZE];

    float amb_temp = 80.0f;
    int bx = get_group_id(0);
    int by = get_group_id(1);
    int tx = get_local_id(0);
    int ty = get_local_id(1);

    int small_block = BLOCK_SIZE - iteration * 2;
    int blkY = small_block * by - border;
    int blkX = small_block * bx - border;
    int blkYmax = blkY + BLOCK_SIZE - 1;
    int blkXmax = blkX + BLOCK_SIZE - 1;
    int yidx = blkY + ty;
    int xidx = blkX + tx;
    int index = grid_cols * yidx + xidx;

    temp_on_cuda[ty][tx] = 0.0f;
    power_on_cuda[ty][tx] = 0.0f;
    if (IN_RANGE(yidx, 0, grid_rows - 1) && IN_RANGE(xidx, 0, grid_cols - 1)) {
        temp_on_cuda[ty][tx] = temp_src[index];
        power_on_cuda[ty][tx] = power[index];
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    int validYmin = (blkY < 0) ? -blkY : 0;
    int validYmax = (blkYmax > grid_rows - 1) ? BLOCK_SIZE - 1 - (blkYmax - grid_rows + 1) : BLOCK_SIZE - 1;
    int validXmin = (blkX < 0) ? -blkX : 0;
    int validXmax = (blkXmax > grid_cols - 1) ? BLOCK_SIZE - 1 - (blkXmax - grid_cols + 1) : BLOCK_SIZE - 1;

    int N = ty - 1;
    int S = ty + 1;
    int W = tx - 1;
    int E = tx + 1;
    N = (N < validYmin) ? validYmin : N;
    S = (S > validYmax) ? validYmax : S;
    W = (W < validXmin) ? validXmin : W;
    E = (E > validXmax) ? validXmax : E;

    int computed = 0;
    for (int i = 0; i < iteration; i++) {
        computed = 0;
        if (IN_RANGE(tx, i + 1, BLOCK_SIZE - i - 2) && IN_RANGE(ty, i + 1, BLOCK_SIZE - i - 2) &&
            IN_RANGE(tx, validXmin, validXmax) && IN_RANGE(ty, validYmin, validYmax)) {
            computed = 1;
            temp_t[ty][tx] = temp_on_cuda[ty][tx] +
                             stepDivCap * (power_on_cuda[ty][tx] +
                                           (temp_on_cuda[S][tx] + temp_on_cuda[N][tx] - 2.0f * temp_on_cuda[ty][tx]) * Ry_1 +
                                           (temp_on_cuda[ty][E] + temp_on_cuda[ty][W] - 2.0f * temp_on_cuda[ty][tx]) * Rx_1 +
                                           (amb_temp - temp_on_cuda[ty][tx]) * Rz_1);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (i == iteration - 1)
            break;
        if (computed)
            temp_on_cuda[ty][tx] = temp_t[ty][tx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (computed)
        temp_dst[index] = temp_t[ty][tx];
}
