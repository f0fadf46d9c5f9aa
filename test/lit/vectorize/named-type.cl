// A name for the type of the data is no name for vectors of it.
// RUN: %clopt --target=cpu %s -o %t.cl
// RUN: grep -v "^//" %t.cl | FileCheck %s

// CHECK: float8 y_cell;
// CHECK-NOT: real8
typedef float real;
__kernel void product(__global const real *a, __global const real *x, __global real *y, int n) {
    int i = get_global_id(0);
    if (i < n)
        for (int j = 0; j < n; j++)
            y[i] += a[i * n + j] * x[j];
}
