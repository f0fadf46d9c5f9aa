// Findings have clang-tidy's form, with the line and a caret, and the hint as a note. The
// code is 0: a finding is no failure.
// RUN: %clopt check %s > %t.out
// RUN: FileCheck %s --match-full-lines < %t.out
// RUN: %clopt check %s 2>&1 | grep warning: | count 5

__kernel void stride(__global float *a) {
  int i = get_global_id(0);
  a[3 * i + 1] = 0.0f;
}
// CHECK: {{.*}}findings.cl:[[@LINE-2]]:3: warning: {{.+}} [clopt-unvectorized-stride]
// CHECK-NEXT: {{ *[0-9]+}} |   a[3 * i + 1] = 0.0f;
// CHECK-NEXT: {{ *}} |   ^~~~~~~~~~~~
// CHECK-NEXT: {{.*}}findings.cl:[[@LINE-5]]:3: note: {{.+}}

__kernel void column(__global const float *a, __global float *b, int n) {
  int i = get_global_id(0), j = get_global_id(1);
  b[j * n + i] = a[i * n + j];
}
// CHECK: {{.*}}findings.cl:[[@LINE-2]]:18: warning: {{.+}} [clopt-unvectorized-column]

__kernel void indirect(__global const float *a, __global const int *at, __global float *b) {
  int i = get_global_id(0);
  b[i] = a[at[i]];
}
// CHECK: {{.*}}findings.cl:[[@LINE-2]]:10: warning: {{.+}} [clopt-unvectorized-indirect]

__kernel void reverse(__global const float *a, __global float *b, int n) {
  int i = get_global_id(0);
  b[i] = a[n - 1 - i];
}
// CHECK: {{.*}}findings.cl:[[@LINE-2]]:10: warning: {{.+}} [clopt-unvectorized-reverse]

__kernel void skew(__global const float *a, __global float *b, int n) {
  int i = get_global_id(0), j = get_global_id(1);
  b[j * n + i] = a[(i + j) * n + i];
}
// CHECK: {{.*}}findings.cl:[[@LINE-2]]:18: warning: {{.+}} [clopt-unvectorized-skew]

// Forward accesses, broadcasts and those of single work-items are no findings.
__kernel void fine(__global const float *a, __global float *b, int n) {
  int i = get_global_id(0), j = get_global_id(1);
  b[j * n + i] = a[j] + a[i + 7];
}
// CHECK: 5 findings in 1 file ({{[0-9]+}} accesses)
