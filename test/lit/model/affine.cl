// An affine kernel: domain, relation, schedule, shape and assumptions of mm with a
// private sum.
// RUN: %clopt --dump-model %s | FileCheck %s --strict-whitespace

__kernel void mm_sum(__global const float *A, __global const float *B,
                     __global float *C, int n) {
  int i = get_global_id(1);
  int j = get_global_id(0);
  float sum = 0.0f;
  for (int k = 0; k < n; k++)
    sum += A[i * n + k] * B[k * n + j];
  C[i * n + j] = sum;
}

// CHECK: kernel mm_sum
// CHECK-NEXT: ndrange: 2 dimensions
// CHECK-NEXT:   0: global w0
// CHECK-NEXT:   1: global w1
// CHECK-NEXT: context: [gs0, go0, gs1, go1, n] -> {  : gs0 > 0 and 0 <= go0 <= 4611686018427387904 - gs0 and gs1 > 0 and 0 <= go1 <= 4611686018427387904 - gs1 and -2147483648 <= n <= 2147483647 }
// CHECK-NEXT: arrays:
// CHECK-NEXT:   global const float A[][n]
// CHECK-NEXT:   global const float B[][n]
// CHECK-NEXT:   global float C[][n]
// CHECK-NEXT:   private int i
// CHECK-NEXT:   private int j
// CHECK-NEXT:   private float sum
// CHECK-NEXT: loops:
// CHECK-NEXT:   k from 0 step 1, line 10
// CHECK-NEXT: statements:
// CHECK-NEXT:   S0, line 7: int i = get_global_id(1);
// CHECK-NEXT:     domain [gs0, go0, gs1, go1, n] -> { S0[w0, w1] : go0 <= w0 < gs0 + go0 and go1 <= w1 < gs1 + go1 }
// CHECK-NEXT:       write i
// CHECK-NEXT:   S1, line 8: int j = get_global_id(0);
// CHECK-NEXT:     domain [gs0, go0, gs1, go1, n] -> { S1[w0, w1] : go0 <= w0 < gs0 + go0 and go1 <= w1 < gs1 + go1 }
// CHECK-NEXT:       write j
// CHECK-NEXT:   S2, line 9: float sum = 0.0f;
// CHECK-NEXT:     domain [gs0, go0, gs1, go1, n] -> { S2[w0, w1] : go0 <= w0 < gs0 + go0 and go1 <= w1 < gs1 + go1 }
// CHECK-NEXT:       write sum
// CHECK-NEXT:   S3, line 11: sum += A[i * n + k] * B[k * n + j];
// CHECK-NEXT:     domain [gs0, go0, gs1, go1, n] -> { S3[w0, w1, k] : go0 <= w0 < gs0 + go0 and go1 <= w1 < gs1 + go1 and 0 <= k < n }
// CHECK-NEXT:       read i
// CHECK-NEXT:       read A[w1][k]
// CHECK-NEXT:         [gs0, go0, gs1, go1, n] -> { S3[w0, w1, k] -> A[w1, k] : go0 <= w0 < gs0 + go0 and go1 <= w1 < gs1 + go1 and 0 <= k < n }
// CHECK-NEXT:       read j
// CHECK-NEXT:       read B[k][w0]
// CHECK-NEXT:         [gs0, go0, gs1, go1, n] -> { S3[w0, w1, k] -> B[k, w0] : go0 <= w0 < gs0 + go0 and go1 <= w1 < gs1 + go1 and 0 <= k < n }
// CHECK-NEXT:       read sum
// CHECK-NEXT:       write sum
// CHECK-NEXT:   S4, line 12: C[i * n + j] = sum;
// CHECK-NEXT:     domain [gs0, go0, gs1, go1, n] -> { S4[w0, w1] : go0 <= w0 < gs0 + go0 and go1 <= w1 < gs1 + go1 }
// CHECK-NEXT:       read i
// CHECK-NEXT:       read j
// CHECK-NEXT:       read sum
// CHECK-NEXT:       write C[w1][w0]
// CHECK-NEXT:         [gs0, go0, gs1, go1, n] -> { S4[w0, w1] -> C[w1, w0] : go0 <= w0 < gs0 + go0 and go1 <= w1 < gs1 + go1 }
// CHECK-NEXT: schedule:
// CHECK-NEXT:   work w0, w1
// CHECK-NEXT:     S0
// CHECK-NEXT:     S1
// CHECK-NEXT:     S2
// CHECK-NEXT:     loop k
// CHECK-NEXT:       S3
// CHECK-NEXT:     S4
// CHECK-NEXT: assumptions:
// CHECK-NEXT:   get_global_id(1) <= 2147483647, line 7
// CHECK-NEXT:     [gs0, go0, gs1, go1, n] -> {  : go1 <= 2147483648 - gs1 }
// CHECK-NEXT:   get_global_id(0) <= 2147483647, line 8
// CHECK-NEXT:     [gs0, go0, gs1, go1, n] -> {  : go0 <= 2147483648 - gs0 }
// CHECK-NEXT:   0 <= get_global_id(0) < n, line 11
// CHECK-NEXT:     [gs0, go0, gs1, go1, n] -> {  : n >= gs0 + go0 }
// CHECK-NEXT:   0 <= get_global_id(0) < n, line 12
// CHECK-NEXT:     [gs0, go0, gs1, go1, n] -> {  : n >= gs0 + go0 }
