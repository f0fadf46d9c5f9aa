// Rows of dimension 0, columns of dimension 1: neighbours are to lie along the columns.
// RUN: %clopt --target=nvidia-hopper --validate=full %s -o - -Rpass=interchange 2>%t.txt | grep -v '^//' | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t.txt
// RUN: %clopt --target=nvidia-hopper %s --emit-recipe=- -o %t.cl | FileCheck %s --check-prefix=PLAN
// RUN: %clopt --target=cpu %s --emit-recipe=- -o %t.cl | FileCheck %s --check-prefix=CPU
// RUN: printf 'kernel add\ninterchange row row\n' > %t.recipe
// RUN: not %clopt --recipe=%t.recipe %s -o %t.cl 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: printf 'kernel add\ninterchange row col\ntile row:16\n' > %t.recipe
// RUN: not %clopt --recipe=%t.recipe %s -o %t.cl 2>&1 | FileCheck %s --check-prefix=LATER
// RUN: printf 'kernel grouped\ninterchange w0 w1\n' > %t.recipe
// RUN: not %clopt --recipe=%t.recipe %s -o %t.cl 2>&1 | FileCheck %s --check-prefix=GROUPS
// RUN: printf 'kernel add\ninterchange row col\ncoarsen row:2\n' > %t.recipe
// RUN: %clopt --recipe=%t.recipe --validate=full %s -o - | grep -v '^//' | FileCheck %s --check-prefix=BOTH

// REMARK: remark: neighbouring work-items lie along another one of row, col
// CHECK: void add(
// CHECK: const int row = (int)(get_global_offset(0) + tile / tiles1);
// CHECK-NEXT: const int col = (int)(get_global_offset(1) + tile % tiles1);
// PLAN: kernel add
// PLAN-NEXT: interchange row col
// PLAN-NOT: kernel turned
// PLAN-NOT: kernel grouped
// CPU: kernel add
// CPU-NEXT: interchange row col
// CPU-NEXT: vectorize col:8
// CPU-NEXT: require items=200000
// CPU-NOT: interchange
// SAME: neighbouring work-items lie along neither of the two
// LATER: the dimensions of the NDRange have changed places
// GROUPS: error: {{.*}}clopt-group-shape
// BOTH: const int row0 = (int)(get_global_offset(0) + tile / tiles1 * 2);
// BOTH: const int col = (int)(get_global_offset(1) + tile % tiles1);
__kernel void add(__global const float *a, __global const float *b, __global float *c, int rows, int cols) {
    int row = get_global_id(0), col = get_global_id(1);
    if (row < rows && col < cols)
        c[row * cols + col] = a[row * cols + col] + b[row * cols + col];
}

// Neighbours are side by side as it is.
__kernel void turned(__global const float *a, __global float *c, int rows, int cols) {
    int x = get_global_id(0), y = get_global_id(1);
    if (x < cols && y < rows)
        c[y * cols + x] = a[y * cols + x] + 1.0f;
}

__kernel void grouped(__global const float *a, __global float *c, int cols) {
    c[get_group_id(0) * cols + get_group_id(1)] = a[get_group_id(0) * cols + get_group_id(1) + get_local_id(0)];
}
