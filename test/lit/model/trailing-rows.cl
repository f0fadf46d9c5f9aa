// RUN: %clopt --dump-model %s | FileCheck %s --implicit-check-not='w1 + 1 < k'

// The k-th row on: n * k is an offset of rows, as the guard keeps ids below n - k. An array of
// planes of k rows would be right only for launches of less than k rows.
// CHECK-LABEL: kernel update
// CHECK: global float A[][n], from k
// CHECK: write A[w1 + k + 1][w0 + 1]
__kernel void update(__global float *A, int n, int k)
{
    const int j = get_global_id(0) + k + 1, i = get_global_id(1) + k + 1;
    if (i < n && j < n)
        A[i * n + j] -= A[i * n + k] * A[k * n + j];
}

// Here no guard says what the ids stay below: planes of h rows.
// CHECK-LABEL: kernel second
// CHECK: global float P[][h][w]
// CHECK: 0 <= get_global_id(1) < h
__kernel void second(__global float *P, int w, int h)
{
    const int x = get_global_id(0), y = get_global_id(1);
    P[h * w + y * w + x] = P[y * w + x];
}

// And here it is the one for planes.
// CHECK-LABEL: kernel guarded
// CHECK: global float P[][h][w]
__kernel void guarded(__global float *P, int w, int h)
{
    const int x = get_global_id(0), y = get_global_id(1);
    if (x < w && y < h)
        P[h * w + y * w + x] = P[y * w + x];
}
