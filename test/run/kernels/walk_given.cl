// The tiled product with room for the tiles from the host, addressed through macros.
#define BLOCK 8
#define AS(i, j) As[j + i * BLOCK]
#define BS(i, j) Bs[j + i * BLOCK]
__kernel __attribute__((reqd_work_group_size(BLOCK, BLOCK, 1)))
void walk_given(__global float *C, __global float *A, __global float *B, __local float *As,
                __local float *Bs, int wA, int wB, int rows)
{
    int bx = get_group_id(0);
    int by = get_group_id(1);
    int tx = get_local_id(0);
    int ty = get_local_id(1);
    int aBegin = wA * BLOCK * by;
    int aEnd = aBegin + wA - 1;
    int bBegin = BLOCK * bx;
    int bStep = BLOCK * wB;
    float sum = 0.0f;
    for (int a = aBegin, b = bBegin; a <= aEnd; a += BLOCK, b += bStep) {
        AS(ty, tx) = A[a + wA * ty + tx];
        BS(ty, tx) = B[b + wB * ty + tx];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < BLOCK; ++k)
            sum += AS(ty, k) * BS(k, tx);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (get_global_id(1) < rows)
        C[get_global_id(1) * get_global_size(0) + get_global_id(0)] = sum;
}
