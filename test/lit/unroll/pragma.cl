// Compilers are asked to write out a loop that stays as it is.
// RUN: echo 'unroll j pragma' > %t.recipe
// RUN: %clopt --recipe=%t.recipe --validate=full %s -o - -Rpass=unroll 2>%t.txt | grep -v '^//' | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t.txt
// RUN: echo 'unroll j:2 pragma' > %t.recipe
// RUN: %clopt --recipe=%t.recipe %s -o - | grep -v '^//' | FileCheck %s --check-prefix=TWO
// RUN: echo 'unroll i pragma' > %t.recipe
// RUN: not %clopt --recipe=%t.recipe %s -o - 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: echo 'unroll j:65 pragma' > %t.recipe
// RUN: not %clopt --recipe=%t.recipe %s -o - 2>&1 | FileCheck %s --check-prefix=MANY

// REMARK: remark: loop j is for compilers to write out
// CHECK: #pragma unroll{{$}}
// CHECK-NEXT: for (int j = 0; j <= 4; j++)
// TWO: 2 iterations of j per pass, by compilers
// TWO: #pragma unroll 2
// REFUSED: the number of iterations is not constant
// MANY: at most 64 copies
__kernel void sums(__global const float *a, __global float *o, int n) {
    int x = get_global_id(0);
    float s = 0.0f;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 5; j++)
            s += a[(i * 5 + j) * n + x];
    o[x] = s;
}
