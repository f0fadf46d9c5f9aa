// A body that begins with clopt's comment is left alone, and a remark says so.
// RUN: %clopt --target=cpu -Rpass-missed=. %s -o %t.cl 2>&1 | FileCheck %s
// RUN: cmp %s %t.cl
// RUN: %clopt --target=cpu --report=%t.json %s -o %t.cl
// RUN: FileCheck %s --check-prefix=JSON < %t.json
// JSON: clopt-already-optimized
// What a check finds in the original is not found a second time in the results of a build.
// RUN: %clopt check --target=cpu -Rpass-missed=. %s 2>&1 | FileCheck %s --check-prefixes=CHECK,SUM --implicit-check-not=warning:

// CHECK: already-optimized.cl:[[@LINE+1]]:1: remark: the kernel was written by clopt [-Rpass-missed=clopt-
__kernel void rows(__global const float *a, __global float *s, int n) {
    // Optimized by clopt:
    // - 8 work-items along i run as one vector
    int i = get_global_id(0);
    float sum = 0.0f;
    for (int k = 0; k < n; k++)
        sum += a[k * n + i];
    s[i] = sum;
}
// SUM: 0 findings in 1 file (0 accesses)
