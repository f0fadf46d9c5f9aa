// On processors, where every work-item of a group asks in turn, what a guard computes stands before it: comparisons are one
// branch for compilers, which take it out of their loops over work-items. Elsewhere it stays in its place.
// RUN: %clopt %s --target=cpu --validate=full -o - | grep -v "^//" | FileCheck %s
// RUN: %clopt %s --target=nvidia-hopper -o - | grep -v "^//" | FileCheck %s --check-prefix=GPU

// CHECK: const size_t items = get_global_size(0) * get_global_size(1);
// CHECK: const ulong term = (ulong)w * h;
// CHECK-NEXT: if ({{.*}} && term <= 4294967296 &&
// CHECK-NOT: get_global_size(0) * get_global_size(1) <
// CHECK: return;
// GPU-NOT: term
// Sums with arguments of 64 bits might leave `long` before they are asked for.
// RUN: sed 's/int h, int r/long h, long r/; s/int first/long first/; s/last =/last = (int)/; s/for (int i/for (long i/' %s > %t.wide.cl
// RUN: %clopt %t.wide.cl --target=cpu -o - | grep -v "^//" | FileCheck %s --check-prefix=WIDE
// WIDE-NOT: const long term
__kernel void columns(__global const uint *a, __global uint *b, int w, int h, int r) {
  int x = get_global_id(0), y = get_global_id(1);
  uint at = y * w + x;
  if (y >= h || x >= w)
    return;
  uint bits = a[at];
  int first = y - r < 0 ? 0 : y - r, last = y >= h - r ? h - 1 : y + r;
  for (int i = first; i <= last; i++)
    bits |= a[i * w + x];
  b[at] = bits;
}
