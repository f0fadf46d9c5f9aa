// Ids of the group in a subscript split the dimension.
// RUN: %clopt --dump-model %s | FileCheck %s --strict-whitespace

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void reverse(__global const int *in, __global int *out) {
  __local int t[64];
  int l = get_local_id(0);
  t[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_group_id(0) * 64 + l] = t[63 - l];
}

// CHECK: kernel reverse
// CHECK-NEXT: has: barriers, local memory
// CHECK-NEXT: ndrange: 1 dimension
// CHECK-NEXT:   0: group g0, local l0, local size 64
// CHECK-NEXT: context: [gs0, go0] -> {  : gs0 > 0 and 0 <= go0 <= 4611686018427387904 - gs0 }
// CHECK-NEXT: arrays:
// CHECK-NEXT:   global const int in[]
// CHECK-NEXT:   global int out[][64]
// CHECK-NEXT:   local int t[64]
// CHECK-NEXT:   private int l
// CHECK-NEXT: statements:
// CHECK-NEXT:   S0, line 7: int l = get_local_id(0);
// CHECK-NEXT:     domain [gs0, go0] -> { S0[g0, l0] : g0 >= 0 and 0 <= l0 <= 63 and l0 < gs0 - 64g0 }
// CHECK-NEXT:       write l
// CHECK-NEXT:   S1, line 8: t[l] = in[get_global_id(0)];
// CHECK-NEXT:     domain [gs0, go0] -> { S1[g0, l0] : g0 >= 0 and 0 <= l0 <= 63 and l0 < gs0 - 64g0 }
// CHECK-NEXT:       read l
// CHECK-NEXT:       read in[64*g0 + l0 + go0]
// CHECK-NEXT:         [gs0, go0] -> { S1[g0, l0] -> in[go0 + 64g0 + l0] : g0 >= 0 and 0 <= l0 <= 63 and l0 < gs0 - 64g0 }
// CHECK-NEXT:       write t[l0]
// CHECK-NEXT:         [gs0, go0] -> { S1[g0, l0] -> t[l0] : g0 >= 0 and 0 <= l0 <= 63 and l0 < gs0 - 64g0 }
// CHECK-NEXT:   S2, barrier, line 9: barrier(CLK_LOCAL_MEM_FENCE);
// CHECK-NEXT:     domain [gs0, go0] -> { S2[g0, l0] : g0 >= 0 and 0 <= l0 <= 63 and l0 < gs0 - 64g0 }
// CHECK-NEXT:   S3, line 10: out[get_group_id(0) * 64 + l] = t[63 - l];
// CHECK-NEXT:     domain [gs0, go0] -> { S3[g0, l0] : g0 >= 0 and 0 <= l0 <= 63 and l0 < gs0 - 64g0 }
// CHECK-NEXT:       read l
// CHECK-NEXT:       read l
// CHECK-NEXT:       read t[63 - l0]
// CHECK-NEXT:         [gs0, go0] -> { S3[g0, l0] -> t[63 - l0] : g0 >= 0 and 0 <= l0 <= 63 and l0 < gs0 - 64g0 }
// CHECK-NEXT:       write out[g0][l0]
// CHECK-NEXT:         [gs0, go0] -> { S3[g0, l0] -> out[g0, l0] : g0 >= 0 and 0 <= l0 <= 63 and l0 < gs0 - 64g0 }
// CHECK-NEXT: schedule:
// CHECK-NEXT:   work g0, l0
// CHECK-NEXT:     S0
// CHECK-NEXT:     S1
// CHECK-NEXT:     S2
// CHECK-NEXT:     S3
