// Loops in steps of the launch's size are dimensions.
// RUN: %clopt %s --dump-model --dry-run -Rpass-analysis=model 2>&1 | FileCheck %s
// CHECK: :[[@LINE+33]]:3: remark: the iterations of this loop are no work-items of their own: the kernel does more than the loop
// CHECK-LABEL: kernel plane
// CHECK: 0: loop x, global w0
// CHECK: 1: loop y, global w1
// CHECK: write b[w1][w0]
// CHECK: get_global_id(0) + get_global_size(0) <= 2147483647
// CHECK-LABEL: kernel sums
// CHECK: 0: global w0

// RUN: %clopt %s --target=cpu | FileCheck %s --check-prefix=CPU
// CPU: (long)w * (long)h >= 16 * (long)get_global_size(0) * (long)get_global_size(1)
// CPU: for (size_t tile = first_tile; tile < min(tiles, first_tile + share); tile++) {
// CPU: vstore8(vload8(0, &a[row + x0]) + 1.0f, 0, &b[row + x0]);
// Dimensions keep their loops on GPUs; sums have several loads under way.
// RUN: %clopt %s --target=generic-gpu | FileCheck %s --check-prefix=GPU
// GPU: {{^}}__kernel void plane(
// GPU-NOT: {{^    }}// Optimized by clopt
// GPU: {{^}}__kernel void sums(
// GPU: {{^    }}// - i takes 8 iterations at a time

__kernel void plane(__global const float *restrict a, __global float *restrict b, int w, int h) {
  for (int y = get_global_id(1) - get_global_offset(1); y < h; y += get_global_size(1)) {
    int row = y * w;
    for (int x = get_global_id(0) - get_global_offset(0); x < w; x += get_global_size(0))
      b[row + x] = a[row + x] + 1.0f;
  }
}

__kernel void sums(__global const float *a, __global float *partial, int n) {
  float s = 0.0f;
  // The next line has the loop.


  for (int i = get_global_id(0); i < n; i += get_global_size(0))
    s += a[i];
  partial[get_global_id(0)] = s;
}
