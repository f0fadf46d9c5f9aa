// Comments silence findings; they are counted.
// RUN: %clopt check %s 2> %t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=UNKNOWN < %t.err

__kernel void k(__global float *a, __global const float *b) {
  int i = get_global_id(0);
  a[2 * i] = 0.0f;      // clopt: off
  a[2 * i + 1] = 0.0f;  // clopt: off(clopt-unvectorized-stride)
  // clopt: off-next-line(clopt-unvectorized-column, clopt-unvectorized-stride)
  a[2 * i + 2] = 0.0f;
  a[2 * i + 3] = 0.0f;  // clopt: off(clopt-unvectorized-column)
  a[2 * i + 4] = 0.0f;  // clopt: off(clopt-unvectorized-strid)
}
// CHECK-NOT: warning
// CHECK: suppression.cl:11:3: warning: {{.*}} [clopt-unvectorized-stride]
// CHECK: suppression.cl:12:3: warning: {{.*}} [clopt-unvectorized-stride]
// CHECK: {{^}}2 findings in 1 file (5 accesses); 3 suppressed{{$}}

// UNKNOWN: suppression.cl:12:28: warning: unknown rule 'clopt-unvectorized-strid' in a suppression; did you mean 'clopt-unvectorized-stride'?
// UNKNOWN-NEXT:   a[2 * i + 4] = 0.0f;
// UNKNOWN-NEXT: ^
