// RUN: %clopt --dump-model %s | FileCheck %s
// RUN: %clopt --target=nvidia-hopper -o - %s | FileCheck --check-prefix=TEXT %s

// The variable starts at a product, and so does the end: iterations are counted.
// CHECK: kernel product
// CHECK: global const float A{{\[\]}}[w]
// CHECK: loops:
// CHECK-NEXT: a_turn from 0 step 1
// CHECK-NEXT: k from 0 step 1
// CHECK: read A[16*g1 + l1][l0 + 16*a_turn]
// CHECK: read B[l1 + 16*a_turn][16*g0 + l0]
// CHECK: a += 16
// CHECK: b += 16 * h
// CHECK-NOT: notes:

// Groups are merged as in any other kernel with its own tiles.
// TEXT: one group does the work of 2 groups along g0
// TEXT: for (int a_turn = 0; a_turn <= (w - 1) >> 4; a_turn++) {
// TEXT-NEXT: As[ty][tx] = A[a_0 + w * ty + tx];
// TEXT: a_0 += 16;
// TEXT-NEXT: a_1 += 16;
// TEXT-NEXT: b_0 += 16 * h;
// TEXT-NEXT: b_1 += 16 * h;
__kernel __attribute__((reqd_work_group_size(16, 16, 1)))
void product(__global float *C, __global const float *A, __global const float *B, int w, int h)
{
    __local float As[16][16], Bs[16][16];
    int bx = get_group_id(0), by = get_group_id(1);
    int tx = get_local_id(0), ty = get_local_id(1);
    float sum = 0.0f;
    for (int a = w * 16 * by, b = 16 * bx; a <= w * 16 * by + w - 1; a += 16, b += 16 * h) {
        As[ty][tx] = A[a + w * ty + tx];
        Bs[ty][tx] = B[b + h * ty + tx];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < 16; ++k)
            sum += As[ty][k] * Bs[k][tx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    C[h * 16 * by + 16 * bx + h * ty + tx] = sum;
}
