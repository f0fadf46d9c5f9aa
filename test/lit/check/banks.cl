// Work-items that wait for one bank of local memory, on targets that have banks.
// RUN: not %clopt check --target=nvidia-hopper --error-on=clopt-bank-conflict %s | FileCheck %s
// RUN: %clopt check --target=cpu --error-on=clopt-bank-conflict %s | FileCheck %s --check-prefix=CPU
// CPU-NOT: clopt-bank-conflict

__kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void columns(__global const float *in, __global float *out) {
  __local float tile[32][32], apart[32][33];
  __local int line[256];
  int x = get_local_id(0), y = get_local_id(1);
  tile[y][x] = in[y * 32 + x];
  apart[y][x] = in[y * 32 + x];
  // CHECK: {{.*}}banks.cl:[[#@LINE+2]]:3: warning: work-items that are served together take 2 turns, as they want different words of one bank [clopt-bank-conflict]
  // CHECK: note: leave an element of `line` free after every 32 of them
  line[2 * x + y % 7] = 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  // CHECK: {{.*}}banks.cl:[[#@LINE+2]]:21: warning: work-items that are served together take 32 turns, as they want different words of one bank [clopt-bank-conflict]
  // CHECK: note: make the rows of `tile` one element longer: then they take one turn
  out[y * 32 + x] = tile[x][y] + apart[x][y];
  // clopt: off-next-line(clopt-bank-conflict)
  out[y * 32 + x] += tile[x][y + 8];
}
// CHECK: 1 suppressed
