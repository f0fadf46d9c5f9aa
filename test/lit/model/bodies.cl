// Functions that load and store, in place of their calls.
// RUN: %clopt %s --dump-model --dry-run | FileCheck %s
// RUN: %clopt %s --target=generic-gpu -o - | FileCheck %s --check-prefix=TEXT
// CHECK-LABEL: kernel rows
// CHECK: read input[w0][2*j]
// CHECK: write output[w0][j]
// CHECK-LABEL: kernel searched
// CHECK: S1, line [[#]]: output[i] = find(input + i * n, n);
// CHECK: may read input anywhere
// TEXT-LABEL: {{^}}__kernel void rows
// TEXT: {{^ +}}// Optimized by clopt
// TEXT: {{^ +}}for (int j = j0;
// TEXT-NOT: {{^ +}}halve(
// TEXT: {{^ +}}halve(input + i * 2 * n, output + i * n, n);
// TEXT-LABEL: {{^}}__kernel void searched
// TEXT-NOT: {{^ +}}// Optimized by clopt

void halve(__global const float *from, __global float *to, int m) {
  for (int j = 0; j < m; j++) {
    float x = from[2 * j];
    if (x < 0.0f)
      x = -x;
    to[j] = x;
  }
}

__kernel void rows(__global const float *input, __global float *output, int n) {
  int i = get_global_id(0);
  halve(input + i * 2 * n, output + i * n, n);
}

// A `return` in a loop has no place among other statements.
int find(__global const float *from, int m) {
  for (int j = 0; j < m; j++)
    if (from[j] > 1.0f)
      return j;
  return m;
}

__kernel void searched(__global const float *input, __global int *output, int n) {
  int i = get_global_id(0);
  output[i] = find(input + i * n, n);
}
