// The same product with pointers that move on from tile to tile, in a `while` loop that counts
// down what is left.
#define TS 8
__kernel __attribute__((reqd_work_group_size(TS, TS, 1)))
void walk_pointers(__global const float *A, __global const float *B, __global float *C, int wA,
                   int wB)
{
    __local float As[TS * TS], Bs[TS * TS];
    int tx = get_local_id(0), ty = get_local_id(1);
    A += wA * TS * get_group_id(1);
    B += TS * get_group_id(0);
    __global float *out = C + wB * TS * get_group_id(1) + TS * get_group_id(0);
    int left = wA * (TS + 1);
    float sum = 0.0f;
    while (left > wA * TS) {
        As[ty * TS + tx] = A[wA * ty + tx];
        Bs[ty * TS + tx] = B[wB * ty + tx];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < TS; k++)
            sum += As[ty * TS + k] * Bs[k * TS + tx];
        barrier(CLK_LOCAL_MEM_FENCE);
        left -= TS;
        A += TS;
        B += TS * wB;
    }
    out[wB * ty + tx] = sum;
}
