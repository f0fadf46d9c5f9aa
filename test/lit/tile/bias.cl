// A bias may overlap the results as far as anybody knows. It decides on values alone, so tiles at the ends of the ids
// move: what they compute for ids of others is not stored.
// RUN: %clopt --target=nvidia-hopper --validate=full %s -o - | grep -v '^//' | FileCheck %s

// CHECK: bool moves =
__kernel void layer(__global const float *a, __global const float *b, __global const float *bias, __global float *o,
                    int n, int w, int h) {
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= w || y >= h)
        return;
    float s = bias[x];
    for (int i = 0; i < n; i++)
        s += a[y * n + i] * b[i * w + x];
    o[y * w + x] = s;
}
