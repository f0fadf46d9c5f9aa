// No single distance between neighbours: a rule of its own.
// RUN: %clopt check %s | FileCheck %s
__kernel void wrap(__global const float *a, __global float *b) {
  int i = get_global_id(0);
  b[i] = a[i * i];
}
// CHECK: unknown.cl:5:10: warning: {{.+}} [clopt-unvectorized-unknown]
// CHECK: 1 finding in 1 file
