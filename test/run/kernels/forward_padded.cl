#define TS 16
// C = alpha*A*B + beta*C, any M, N, K; zero padding
__kernel void sgemm_edge(const int M, const int N, const int K,
                         const float alpha, const float beta,
                         __global const float* restrict A,
                         __global const float* restrict B,
                         __global float* restrict C)
{
    const int row = get_local_id(1);
    const int col = get_local_id(0);
    const int globalRow = TS * get_group_id(1) + row;
    const int globalCol = TS * get_group_id(0) + col;

    __local float Asub[TS][TS];
    __local float Bsub[TS][TS + 1];

    float acc = 0.0f;
    const int numTiles = (K + TS - 1) / TS;
    for (int t = 0; t < numTiles; t++) {
        const int tiledRow = TS * t + row;
        const int tiledCol = TS * t + col;
        if (globalRow < M && tiledCol < K)
            Asub[row][col] = A[globalRow * K + tiledCol];
        else
            Asub[row][col] = 0.0f;
        Bsub[row][col] = (tiledRow < K && globalCol < N) ? B[tiledRow * N + globalCol] : 0.0f;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < TS; k++)
            acc += Asub[row][k] * Bsub[k][col];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (globalRow < M && globalCol < N)
        C[globalRow * N + globalCol] = alpha * acc + beta * C[globalRow * N + globalCol];
}

// only as many products as there are (PolyBench-ACC style with a remainder loop)
__kernel void sgemm_tail(__global const float* A, __global const float* B, __global float* C,
                         unsigned int M, unsigned int N, unsigned int K)
{
    __local float As[TS * TS];
    __local float Bs[TS * TS];
    unsigned int lx = get_local_id(0), ly = get_local_id(1);
    unsigned int x = get_global_id(0), y = get_global_id(1);
    float sum = 0;
    for (unsigned int k0 = 0; k0 < K; k0 += TS) {
        float va = 0, vb = 0;
        if (y < M && k0 + lx < K)
            va = A[y * K + k0 + lx];
        if (x < N && k0 + ly < K)
            vb = B[(k0 + ly) * N + x];
        As[ly * TS + lx] = va;
        Bs[ly * TS + lx] = vb;
        barrier(CLK_LOCAL_MEM_FENCE);
        unsigned int kn = min((unsigned int)TS, K - k0);
        for (unsigned int k = 0; k < kn; k++)
            sum += As[ly * TS + k] * Bs[k * TS + lx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (x < N && y < M)
        C[y * N + x] = sum;
}
