// What wraps below zero is larger than all that it is compared with: no
// condition on the launch where no launch from 0 on would meet it.
// RUN: %clopt %s --dump-model --dry-run | FileCheck %s

// CHECK-LABEL: kernel border
// CHECK: in[w0 - 2]{{$}}
// CHECK-NEXT: -> in[-2 + w0] : w0 >= go0 and 2 <= w0 <= 1 + n
// CHECK: o[x] = 7;
// CHECK-NEXT: (w0 >= 2 + n or w0 <= 1)
// CHECK: assumptions:
// CHECK-NOT: go0 >
// CHECK: n <= 4294967293
// CHECK-NOT: go0 >
kernel void border(global float *o, global const float *in, uint n) {
  uint x = get_global_id(0);
  if (n > x - 2u)
    o[x] = in[x - 2];
  else
    o[x] = 7;
}

// By an argument, in the manner of convolutions: nothing is asked of pad.
// CHECK-LABEL: kernel padded
// CHECK: s += in[at];
// CHECK-NEXT: domain {{.*}} i >= pad - w0 and 0 <= i < ks and i < n + pad - w0
// CHECK: assumptions:
// CHECK-NOT: pad <= {{-?}}go0
kernel void padded(global float *o, global const float *in, int n, int pad,
                   int ks) {
  int x = get_global_id(0);
  if (x >= n)
    return;
  float s = 0;
  for (int i = 0; i < ks; i++) {
    int at = x - pad + i;
    if ((uint)at < (uint)n)
      s += in[at];
  }
  o[x] = s;
}

// Where plain launches have it above zero, that is asked for as before.
// CHECK-LABEL: kernel rest
// CHECK: o[x] = in[x + 4];
// CHECK-NEXT: { S1[w0] : go0 <= w0 <= -5 + n and w0 < gs0 + go0 }
// CHECK: assumptions:
// CHECK: 0 <= n - get_global_id(0)
kernel void rest(global float *o, global const float *in, uint n) {
  uint x = get_global_id(0);
  if (n - x > 4)
    o[x] = in[x + 4];
}

// A loop runs until its condition fails for the first time, which may be at
// once: it is no loop whose condition holds later.
// CHECK-LABEL: kernel up
// CHECK: compound, {{.*}} for (uint k = x - 1; k < n; k++)
kernel void up(global float *o, global const float *in, uint n) {
  uint x = get_global_id(0);
  float s = 0;
  for (uint k = x - 1; k < n; k++)
    s += in[k];
  o[x] = s;
}
