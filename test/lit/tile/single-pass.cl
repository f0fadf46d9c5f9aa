// Tiles as long as their loop: the loop over tiles has one iteration, and its sections stay.
// RUN: printf 'kernel blocks_of_rows\ntile i:8\nstage q private\nkernel downward\ntile i:8\nstage q private\n' > %t.recipe
// RUN: %clopt --target=nvidia-hopper --recipe=%t.recipe --validate=full %s -o - | grep -v '^//' | FileCheck %s
// RUN: %clopt --target=nvidia-hopper %s --emit-recipe=- -o %t.cl | FileCheck %s --check-prefix=PLAN

// CHECK: for (int b = 0; b < blocks; b++) {
// CHECK: char q_tile[TILE_I];
// CHECK: for (int i = 0; i < TILE_I; i++)
// CHECK-NEXT: s += q_tile[i] * x[b * 8 + i];
// CHECK: void downward(
// CHECK: for (int i = 7; i > 7 - TILE_I; i--)
// CHECK-NEXT: s = s * 0.5f + q_tile{{.*}};
// Tiles of tiles: two statements would be two loops.
// RUN: printf 'kernel two_statements\ntile i:8\ntile i:16\n' > %t.recipe
// RUN: not %clopt --target=nvidia-hopper --recipe=%t.recipe %s -o %t.cl 2>&1 | FileCheck %s --check-prefix=TWO
// TWO: the copies of a loop cannot be written
// PLAN: tile i:8
// PLAN-NEXT: stage q private
__kernel void blocks_of_rows(__global const char *q, __global const float *x, __global float *y, int rows, int blocks) {
    int r = get_global_id(0);
    if (r >= rows)
        return;
    float sum = 0.0f;
    for (int b = 0; b < blocks; b++) {
        float s = 0.0f;
        for (int i = 0; i < 8; i++)
            s += q[(r * blocks + b) * 8 + i] * x[b * 8 + i];
        sum += s;
    }
    y[r] = sum;
}

__kernel void downward(__global const float *q, __global float *y, int rows) {
    int r = get_global_id(0);
    if (r >= rows)
        return;
    float s = 0.0f;
    for (int i = 7; i >= 0; i--)
        s = s * 0.5f + q[r * 8 + i];
    y[r] = s;
}

__kernel void two_statements(__global float *q, __global float *y) {
    int r = get_global_id(0);
    float s = 0.5f;
    for (int i = 0; i < 8; i++) {
        s = s * 0.5f + s;
        y[r] += s * q[r * 8 + i];
    }
}
