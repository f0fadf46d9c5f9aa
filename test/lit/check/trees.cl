// Trees with distances that double or halve, in groups of any size: the worst round counts.
// RUN: not %clopt check --target=nvidia-hopper --error-on=clopt-bank-conflict %s | FileCheck %s
// RUN: %clopt check --target=cpu --error-on=clopt-bank-conflict %s

// CHECK-NOT: warning
__kernel void halves(__global const float *in, __global float *out, __local float *t) {
  uint lid = get_local_id(0);
  t[lid] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint s = get_local_size(0) / 2; s > 0; s >>= 1) {
    if (lid < s)
      t[lid] += t[lid + s];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (lid == 0)
    out[get_group_id(0)] = t[0];
}

__kernel void doubles(__global const float *in, __global float *out) {
  __local float t[512];
  uint lid = get_local_id(0);
  t[lid] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint s = 1; s < get_local_size(0); s *= 2) {
    uint k = 2 * s * lid;
    // CHECK: {{.*}}trees.cl:[[#@LINE+3]]:7: warning: work-items that are served together take up to 16 turns, in the worst round of a loop with distances that double or halve, as they want different words of one bank [clopt-bank-conflict]
    // CHECK: note: leave an element of `t` free after every 32 of them: then they take at most 2 turns
    if (k < get_local_size(0))
      t[k] += t[k + s];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (lid == 0)
    out[get_group_id(0)] = t[0];
}

// A scan up and down a tree.
__kernel void scan(__global const int *in, __global int *out, __local int *t) {
  int lid = get_local_id(0), n = get_local_size(0), offset = 1;
  t[lid] = in[get_global_id(0)];
  for (int d = n >> 1; d > 0; d >>= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid < d)
      // CHECK: {{.*}}trees.cl:[[#@LINE+1]]:7: warning: work-items that are served together take up to 32 turns, in the worst round
      t[offset * (2 * lid + 2) - 1] += t[offset * (2 * lid + 1) - 1];
    offset <<= 1;
  }
  if (lid == 0)
    t[n - 1] = 0;
  for (int d = 1; d < n; d *= 2) {
    offset /= 2;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid < d)
      t[offset * (2 * lid + 1) - 1] += t[offset * (2 * lid + 2) - 1];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = t[lid];
}
