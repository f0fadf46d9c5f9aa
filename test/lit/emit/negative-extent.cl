// Where subscripts may leave their rows, rows may lie the other way round, and the last one is not the end.
// RUN: %clopt %s --target=amd-cypress -o %t.cl
// RUN: grep -v "^//" %t.cl | FileCheck %s
// CHECK: bool moves = j_begin != j_first &&
// CHECK: if (moves) {
// CHECK-NEXT: const size_t A_end = (size_t)(A + ((long)m - 1) * lda +
// CHECK: moves = lda >= 0 && (A_end <= (size_t)y
__kernel void product(__global const float *A, __global const float *x, __global float *y, int m, int n, int lda) {
  int j = get_global_id(0);
  if (j >= n) return;
  float s = 0.0f;
  for (int i = 0; i < m; i++) s += A[i * lda + j] * x[i];
  y[j] = s;
}
