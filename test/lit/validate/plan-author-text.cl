// RUN: split-file %s %t
// RUN: %clopt %t/f.cl --recipe=%t/r -o %t/o.cl --plan=%t/p.json --report=%t/r.json 2>&1 | count 0
// RUN: FileCheck %s < %t/p.json
// The new body goes; the conditions of the author's text are no guard that
// small launches pass.
// CHECK: "name": "same launch with o_t"
//--- f.cl
__kernel void f(__global uchar *restrict o, long n) {
  int x = get_global_id(0);
  if (n > x) {
    uint s = 1;
    for (uint r = 0; r < 5; r += 1)
      s -= 1;
    o[x] = 1;
  }
}
//--- r
kernel f plan
layout o offset:-2 buffer
require group=3
coarsen x:2
