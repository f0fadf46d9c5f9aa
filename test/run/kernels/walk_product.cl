// A tiled product whose loop walks over both matrices at once, from tile to tile: its first
// and last positions are products of an argument and the number of the group.
#define TS 8
__kernel __attribute__((reqd_work_group_size(TS, TS, 1)))
void walk_product(__global float *C, __global const float *A, __global const float *B, int wA,
                  int wB)
{
    __local float As[TS][TS];
    __local float Bs[TS][TS];
    int bx = get_group_id(0);
    int by = get_group_id(1);
    int tx = get_local_id(0);
    int ty = get_local_id(1);
    int aBegin = wA * TS * by;
    int aEnd = aBegin + wA - 1;
    int aStep = TS;
    int bBegin = TS * bx;
    int bStep = TS * wB;
    float sum = 0.0f;
    for (int a = aBegin, b = bBegin; a <= aEnd; a += aStep, b += bStep) {
        As[ty][tx] = A[a + wA * ty + tx];
        Bs[ty][tx] = B[b + wB * ty + tx];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < TS; ++k)
            sum += As[ty][k] * Bs[k][tx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    int c = wB * TS * by + TS * bx;
    C[c + wB * ty + tx] = sum;
}
