// Accesses that are outside a declared array whenever they run.
// RUN: not %clopt check --target=cpu --error-on=clopt-out-of-bounds %s > %t.txt
// RUN: FileCheck %s < %t.txt
// RUN: grep -c 'warning:.*clopt-out-of-bounds' %t.txt | grep -x 7
// RUN: %clopt check --target=cpu %s --sarif=%t.sarif
// RUN: grep '"ruleId": "clopt-out-of-bounds"' %t.sarif

__constant float weights[4] = {1, 2, 3, 4};

struct pair { float x, y; };

__kernel void outside(__global const float *in, __global float *out, int n) {
  __local float tile[8][16];
  float last[4];
  struct pair pairs[2];
  int i = get_global_id(0), l = get_local_id(0), k;
  for (k = 0; k < 4; k++)
    last[k] = in[i + k];
  // CHECK: {{.*}}out-of-bounds.cl:[[#@LINE+2]]:12: warning: the subscript is 4, outside the 4 elements of `last` in this dimension [clopt-out-of-bounds]
  // CHECK: note: keep the subscript between 0 and 3, or make `last` larger
  out[i] = last[k];
  // CHECK: {{.*}}out-of-bounds.cl:[[#@LINE+1]]:3: warning: the subscript is at least 16, outside the 16 elements of `tile` in this dimension [clopt-out-of-bounds]
  tile[0][(l & 7) + 16] = 0;
  // CHECK: {{.*}}out-of-bounds.cl:[[#@LINE+1]]:3: warning: the subscript is 8, outside the 8 elements of `tile` in this dimension [clopt-out-of-bounds]
  tile[8][l & 15] = 0;
  // CHECK: {{.*}}out-of-bounds.cl:[[#@LINE+1]]:13: warning: the subscript is at least 4, outside the 4 elements of `weights` in this dimension [clopt-out-of-bounds]
  out[i] += weights[4 + (l & 3)];
  if (n < 0)
    // CHECK: {{.*}}out-of-bounds.cl:[[#@LINE+1]]:5: warning: the subscript is at most -1, outside the 4 elements of `last` in this dimension [clopt-out-of-bounds]
    last[n] += 1;
  // CHECK: {{.*}}out-of-bounds.cl:[[#@LINE+1]]:3: warning: the subscript is 2, outside the 2 elements of `pairs` in this dimension [clopt-out-of-bounds]
  pairs[2].y = 0;
  if (n > 3)
    // CHECK: {{.*}}out-of-bounds.cl:[[#@LINE+1]]:15: warning: the subscript is at least 4, outside the 4 elements of `weights` in this dimension [clopt-out-of-bounds]
    out[i] += weights[n];
  // clopt: off-next-line(clopt-out-of-bounds)
  last[4] = 0;
}

#define COUNT 4
struct buffer { int count; float values[1]; };

__kernel void inside(__global const float *in, __global float *out, int n,
                     __global const int *data, __global struct buffer *b,
                     __global float (*rows)[16]) {
  __local float tile[8][16];
  float last[4], *end = &last[4];
  int i = get_global_id(0), l = get_local_id(0);
  last[data[i]] = in[i];
  last[n] = 1;
  if (n >= 0 && n < 4)
    last[n] = 2;
  for (int k = 0; k <= 4; k++)
    last[k] = k;
  for (int k = 4; k < COUNT; k++)
    last[k] = 0;
  if (COUNT > 4)
    last[COUNT] = 3;
  out[i] = COUNT > 4 ? last[5] : last[3];
  for (__private float *p = last; p != end; p++)
    out[i] += *p;
  tile[l / 16 % 8][l % 16] = 0;
  if (l < 16)
    tile[7][15 - l] = 1;
  out[i] += weights[clamp(n, 0, 3)] + weights[min(n, 3)];
  out[i] += sizeof(last[4]) + rows[0][20];
  b->values[5] = 1;
  unsigned u = n;
  last[u - 1] = u;
}
// CHECK: 1 suppressed
