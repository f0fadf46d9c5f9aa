// Cells that all work-items read pay from a whole tile on; a loop that is as long as the launch is wide has one in any launch that counts.
// RUN: %clopt --target=nvidia-hopper %s --emit-recipe=- -o %t.cl | FileCheck %s
// CHECK: kernel some
// CHECK: tile [[LOOP:j:[0-9]+]]
// CHECK: require [[LOOP]]
// CHECK: kernel all
// CHECK: tile j:256
// CHECK: require j:16
float4 pull(float4 own, float4 other) {
    float4 d = other - own;
    float r = d.x * d.x + d.y * d.y + d.z * d.z + 1.0f;
    return d * (other.w / sqrt(r * r * r));
}

__kernel void some(__global const float4 *p, __global float4 *a, int n) {
    int i = get_global_id(0);
    float4 sum = 0, own = p[i];
    for (int j = 0; j < n; j++)
        sum += pull(own, p[j]);
    a[i] = sum;
}

__kernel void all(__global const float4 *p, __global float4 *a) {
    int i = get_global_id(0), n = get_global_size(0);
    float4 sum = 0, own = p[i];
    for (int j = 0; j < n; j++)
        sum += pull(own, p[j]);
    a[i] = sum;
}
