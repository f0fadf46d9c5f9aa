// Neighbours share most of a window: blocks, of which compilers load each cell once. Small windows have little to share.
// RUN: %clopt --target=nvidia-hopper %s --emit-recipe=- -o %t.cl | FileCheck %s
// RUN: %clopt --target=nvidia-hopper %s -o - | grep -v '^//' | FileCheck %s --check-prefix=TEXT

// CHECK: kernel blur5
// CHECK-NEXT: select{{ +}}in
// CHECK-NEXT: coarsen{{ +}}y:2
// CHECK-NEXT: coarsen{{ +}}x:2
// CHECK-NEXT: unroll{{ +}}u pragma
// CHECK-NEXT: unroll{{ +}}v pragma
// CHECK-NEXT: require{{ +}}items=
// CHECK-NOT: kernel blur3
// TEXT: #pragma unroll{{$}}
// TEXT-NEXT: for (int v = -2; v <= 2; v++) {
// TEXT-NEXT: #pragma unroll{{$}}
// TEXT-NEXT: for (int u = -2; u <= 2; u++) {
// TEXT-NEXT: sum[0] += in[(y0 + v) * w + (x0 + u)];
// TEXT: sum[3] += in[(y0 + 1 + v) * w + (x0 + 1 + u)];
__kernel void blur5(__global const float *in, __global float *out, int w, int h) {
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= w || y >= h)
        return;
    float sum = 0.0f;
    for (int v = -2; v <= 2; v++)
        for (int u = -2; u <= 2; u++)
            sum += in[clamp(y + v, 0, h - 1) * w + clamp(x + u, 0, w - 1)];
    out[y * w + x] = sum * 0.04f;
}

__kernel void blur3(__global const float *in, __global float *out, int w, int h) {
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= w || y >= h)
        return;
    float sum = 0.0f;
    for (int v = -1; v <= 1; v++)
        for (int u = -1; u <= 1; u++)
            sum += in[clamp(y + v, 0, h - 1) * w + clamp(x + u, 0, w - 1)];
    out[y * w + x] = sum * 0.11f;
}
