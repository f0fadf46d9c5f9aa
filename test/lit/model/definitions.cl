// Clamps, divisions and remainders stay exact as definitions.
// RUN: %clopt --dump-model %s | FileCheck %s --strict-whitespace

__kernel void clamped(__global const float *in, __global float *out, int w) {
  int x = get_global_id(0);
  int left = x - 1;
  if (left < 0)
    left = 0;
  out[x] = in[left] + in[min(x + 1, w - 1)] + in[x / 3] + in[x % 3];
}

// CHECK: kernel clamped
// CHECK-NEXT: ndrange: 1 dimension
// CHECK-NEXT:   0: global w0
// CHECK-NEXT: context: [gs0, go0, w] -> {  : gs0 > 0 and 0 <= go0 <= 4611686018427387904 - gs0 and -2147483648 <= w <= 2147483647 }
// CHECK-NEXT: definitions:
// CHECK-NEXT:   s0 = -w0 >= 0 ? 0 : w0 - 1
// CHECK-NEXT:   s0_1 = w - w0 - 2 >= 0 ? w0 + 1 : w - 1
// CHECK-NEXT:   q0 = floor((w0) / 3)
// CHECK-NEXT:   r0 = (w0) mod 3
// CHECK-NEXT: arrays:
// CHECK-NEXT:   global const float in[]
// CHECK-NEXT:   global float out[]
// CHECK-NEXT:   private int x
// CHECK-NEXT:   private int left
// CHECK-NEXT: statements:
// CHECK-NEXT:   S0, line 5: int x = get_global_id(0);
// CHECK-NEXT:     domain [gs0, go0, w] -> { S0[w0] : go0 <= w0 < gs0 + go0 }
// CHECK-NEXT:       write x
// CHECK-NEXT:   S1, line 6: int left = x - 1;
// CHECK-NEXT:     domain [gs0, go0, w] -> { S1[w0] : go0 <= w0 < gs0 + go0 }
// CHECK-NEXT:       read x
// CHECK-NEXT:       write left
// CHECK-NEXT:   S2, line 8: left = 0;
// CHECK-NEXT:     domain [gs0, go0, w] -> { S2[w0] : go0 <= w0 <= 0 and w0 < gs0 + go0 }
// CHECK-NEXT:       write left
// CHECK-NEXT:   S3, line 9: out[x] = in[left] + in[min(x + 1, w - 1)] + in[x / 3] + in[x % 3];
// CHECK-NEXT:     domain [gs0, go0, w] -> { S3[w0] : go0 <= w0 < gs0 + go0 }
// CHECK-NEXT:       read x
// CHECK-NEXT:       read left
// CHECK-NEXT:       read in[s0]
// CHECK-NEXT:         [gs0, go0, w] -> { S3[w0] -> in[0] : go0 <= w0 <= 0 and w0 < gs0 + go0; S3[w0] -> in[-1 + w0] : w0 >= go0 and 0 < w0 < gs0 + go0 }
// CHECK-NEXT:       read x
// CHECK-NEXT:       read in[s0_1]
// CHECK-NEXT:         [gs0, go0, w] -> { S3[w0] -> in[1 + w0] : go0 <= w0 <= -2 + w and w0 < gs0 + go0; S3[w0] -> in[-1 + w] : w0 >= go0 and -1 + w <= w0 < gs0 + go0 }
// CHECK-NEXT:       read x
// CHECK-NEXT:       read in[q0]
// CHECK-NEXT:         [gs0, go0, w] -> { S3[w0] -> in[o0] : go0 <= w0 < gs0 + go0 and -2 + w0 <= 3o0 <= w0 }
// CHECK-NEXT:       read x
// CHECK-NEXT:       read in[r0]
// CHECK-NEXT:         [gs0, go0, w] -> { S3[w0] -> in[o0] : (-w0 + o0) mod 3 = 0 and go0 <= w0 < gs0 + go0 and 0 <= o0 <= 2 }
// CHECK-NEXT:       write out[w0]
// CHECK-NEXT:         [gs0, go0, w] -> { S3[w0] -> out[w0] : go0 <= w0 < gs0 + go0 }
// CHECK-NEXT: schedule:
// CHECK-NEXT:   work w0
// CHECK-NEXT:     S0
// CHECK-NEXT:     S1
// CHECK-NEXT:     S2
// CHECK-NEXT:     S3
// CHECK-NEXT: assumptions:
// CHECK-NEXT:   get_global_id(0) <= 2147483647, line 5
// CHECK-NEXT:     [gs0, go0, w] -> {  : go0 <= 2147483648 - gs0 }
