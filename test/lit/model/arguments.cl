// Parameters that the kernel changes, and offsets that all accesses share.
// RUN: %clopt %s --dump-model --dry-run | FileCheck %s
// CHECK-LABEL: kernel moved
// CHECK: global const float A[][lda], from offA
// CHECK: private __global const float * A_now
// CHECK: S0, line {{[0-9]+}}: __global const float *A_now = A;
// CHECK: read A[k][w0]
// CHECK-LABEL: kernel counted
// CHECK: int n_now = n;
// CHECK: w0 <= -2 + n
// CHECK-LABEL: kernel within
// CHECK: global float a[][n]{{$}}

__kernel void moved(__global const float *A, int offA, int lda, __global float *b, int m) {
  A += offA;
  int i = get_global_id(0);
  float s = 0.0f;
  if (i < lda)
    for (int k = 0; k < m; k++)
      s += A[k * lda + i];
  b[i] = s;
}

__kernel void counted(__global float *a, int n) {
  n -= 1;
  int i = get_global_id(0);
  if (i < n)
    a[i] = 0.0f;
}

// Where subscripts are known to stay within their rows there is no origin.
__kernel void within(__global float *a, int n, int r) {
  int i = get_global_id(0), j = get_global_id(1);
  if (r > 0 && j < n - r)
    a[i * n + j + r] = 0.0f;
}
