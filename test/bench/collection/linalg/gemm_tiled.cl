// The textbook product with two square tiles in local memory; sizes need not be multiples of the tile.
#define TS 16

__kernel void gemm_tiled(const int M, const int N, const int K, const __global float *A, const __global float *B,
                         __global float *C)
{
    const int col = get_local_id(0);
    const int row = get_local_id(1);
    const int globalCol = TS * get_group_id(0) + col;
    const int globalRow = TS * get_group_id(1) + row;

    __local float Asub[TS][TS];
    __local float Bsub[TS][TS];

    float acc = 0.0f;
    const int numTiles = (K + TS - 1) / TS;
    for (int t = 0; t < numTiles; t++) {
        const int tiledCol = TS * t + col;
        const int tiledRow = TS * t + row;
        Asub[row][col] = (globalRow < M && tiledCol < K) ? A[globalRow * K + tiledCol] : 0.0f;
        Bsub[row][col] = (tiledRow < K && globalCol < N) ? B[tiledRow * N + globalCol] : 0.0f;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < TS; k++)
            acc += Asub[row][k] * Bsub[k][col];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (globalRow < M && globalCol < N)
        C[globalRow * N + globalCol] = acc;
}
