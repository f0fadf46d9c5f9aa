// A number in place of a variable has the variable's type where that decides how something is
// computed: divisions of negative numbers, products above 2^31.
// RUN: printf 'kernel divided\nunroll k\nkernel multiplied\nunroll k\nkernel called\ncoarsen x:2\nkernel grouped\ncoarsen x:2\n' > %t.recipe
// RUN: %clopt --target=mali-midgard --recipe=%t.recipe --validate=full %s -o - | grep -v '^//' | FileCheck %s

// CHECK-LABEL: void divided(
// CHECK: o[(uint)x * 2] = (a[(uint)x] + 0U) / 2;
// CHECK: o[(uint)x * 2 + 1] = (a[(uint)x] + 1U) / 2;
__kernel void divided(__global uint *o, __global const int *a) {
    uint x = get_global_id(0);
    for (uint k = 0; k < 2; k++)
        o[x * 2 + k] = (a[x] + k) / 2;
}

// CHECK-LABEL: void multiplied(
// CHECK: = a[x] * 7L;
// CHECK: = a[x] * 8L;
__kernel void multiplied(__global long *o, __global const int *a) {
    int x = get_global_id(0);
    for (long k = 7; k < 9; k++)
        o[x * 2 + k - 7] = a[x] * k;
}

uint half_of(uint d, int v) { return v / d; }

// CHECK-LABEL: void called(
// CHECK: o[x0] = a[x0] / (uint)2;
__kernel void called(__global long *o, __global const int *a) {
    int x = get_global_id(0);
    o[x] = half_of(2, a[x]);
}

// Ids of groups and in groups are of type size_t.
// CHECK-LABEL: void grouped(
// CHECK: o[x0] = a[x0] / (ulong)(x0 + 1);
__kernel void grouped(__global float *o, __global const int *a) {
    int x = get_group_id(0) * get_local_size(0) + get_local_id(0);
    o[x] = a[x] / (get_group_id(0) * get_local_size(0) + get_local_id(0) + 1);
}
