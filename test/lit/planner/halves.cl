// A window that reaches half of an argument to either side.
// RUN: %clopt --target=cpu %s --emit-recipe=- -o %t.cl | FileCheck %s --check-prefix=CPU
// RUN: %clopt --target=nvidia-hopper %s --emit-recipe=- -o %t.cl | FileCheck %s --check-prefix=GPU
// RUN: %clopt --target=cpu --validate=full %s -o - | FileCheck %s --check-prefix=TEXT
// CPU: kernel blur
// CPU-NEXT: vectorize x:8
// GPU: kernel blur
// GPU-NEXT: coarsen y:2
// GPU-NEXT: coarsen x:2
// TEXT: size >= 0
// TEXT: for (int j = -r; j <= r; j++)
__kernel void blur(__global const float *in, __global float *out, int w, int h, int size) {
    int x = get_global_id(0), y = get_global_id(1);
    int r = size / 2;
    if (x < r || y < r || x >= w - r || y >= h - r)
        return;
    float s = 0;
    for (int j = -r; j <= r; j++)
        for (int i = -r; i <= r; i++)
            s += in[(y + j) * w + x + i];
    out[y * w + x] = s / (size * size);
}
