// Tiles across the diagonal that do part of their ids one by one, because what others would read may be nothing:
// launches must be large for that not to decide.
// RUN: %clopt --target=nvidia-hopper %s -o - | grep -v '^//' | FileCheck %s

// CHECK-LABEL: void upper(
// CHECK: items >= 506880
// CHECK-NOT: get_global_size(0) * get_global_size(1) >= 12165120
__kernel void upper(__global const float *data, __global float *sums, int m, int n) {
    int j = get_global_id(0), i = get_global_id(1);
    if (i < m && j < m && j > i) {
        float s = 0.0f;
        for (int k = 0; k < n; k++)
            s += data[k * m + i] * data[k * m + j];
        sums[i * m + j] = s;
        sums[j * m + i] = s;
    }
}

// CHECK-LABEL: void weighted(
// CHECK: items >= 506880
// CHECK: get_global_size(0) * get_global_size(1) >= 12165120
__kernel void weighted(__global const float *data, __global const float *weight, __global float *sums, int m, int n) {
    int j = get_global_id(0), i = get_global_id(1);
    if (i < m && j < m && j > i) {
        float s = 0.0f;
        for (int k = 0; k < n; k++)
            s += data[k * m + i] * data[k * m + j] * weight[j - i];
        sums[i * m + j] = s;
    }
}
