// A loop whose bounds are data is kept whole; what it always evaluates is exact.
// RUN: %clopt --dump-model %s | FileCheck %s --strict-whitespace

__kernel void spmv(__global const int *row_ptr, __global const int *col,
                   __global const float *elem, __global const float *p,
                   __global float *q, int rows) {
  int i = get_global_id(0);
  if (i >= rows)
    return;
  float sum = 0.0f;
  for (int k = row_ptr[i]; k < row_ptr[i + 1]; k++)
    sum += elem[k] * p[col[k]];
  q[i] = sum;
}

// CHECK: kernel spmv
// CHECK-NEXT: ndrange: 1 dimension
// CHECK-NEXT:   0: global w0
// CHECK-NEXT: context: [gs0, go0, rows] -> {  : gs0 > 0 and 0 <= go0 <= 4611686018427387904 - gs0 and -2147483648 <= rows <= 2147483647 }
// CHECK-NEXT: arrays:
// CHECK-NEXT:   global const int row_ptr[]
// CHECK-NEXT:   global const int col[]
// CHECK-NEXT:   global const float elem[]
// CHECK-NEXT:   global const float p[]
// CHECK-NEXT:   global float q[]
// CHECK-NEXT:   private int i
// CHECK-NEXT:   private float sum
// CHECK-NEXT:   private int k
// CHECK-NEXT: statements:
// CHECK-NEXT:   S0, line 7: int i = get_global_id(0);
// CHECK-NEXT:     domain [gs0, go0, rows] -> { S0[w0] : go0 <= w0 < gs0 + go0 }
// CHECK-NEXT:       write i
// CHECK-NEXT:   S1, line 10: float sum = 0.0f;
// CHECK-NEXT:     domain [gs0, go0, rows] -> { S1[w0] : go0 <= w0 < rows and w0 < gs0 + go0 }
// CHECK-NEXT:       write sum
// CHECK-NEXT:   S2, compound, line 11: for (int k = row_ptr[i]; k < row_ptr[i + 1]; k++) sum += elem[k] * p[col ...
// CHECK-NEXT:     domain [gs0, go0, rows] -> { S2[w0] : go0 <= w0 < rows and w0 < gs0 + go0 }
// CHECK-NEXT:       read i
// CHECK-NEXT:       read row_ptr[w0]
// CHECK-NEXT:         [gs0, go0, rows] -> { S2[w0] -> row_ptr[w0] : go0 <= w0 < rows and w0 < gs0 + go0 }
// CHECK-NEXT:       write k
// CHECK-NEXT:       read k
// CHECK-NEXT:       read i
// CHECK-NEXT:       read row_ptr[w0 + 1]
// CHECK-NEXT:         [gs0, go0, rows] -> { S2[w0] -> row_ptr[1 + w0] : go0 <= w0 < rows and w0 < gs0 + go0 }
// CHECK-NEXT:       may read k
// CHECK-NEXT:       may read elem anywhere
// CHECK-NEXT:         [gs0, go0, rows] -> { S2[w0] -> elem[o0] : go0 <= w0 < rows and w0 < gs0 + go0 }
// CHECK-NEXT:       may read k
// CHECK-NEXT:       may read col anywhere
// CHECK-NEXT:         [gs0, go0, rows] -> { S2[w0] -> col[o0] : go0 <= w0 < rows and w0 < gs0 + go0 }
// CHECK-NEXT:       may read p anywhere
// CHECK-NEXT:         [gs0, go0, rows] -> { S2[w0] -> p[o0] : go0 <= w0 < rows and w0 < gs0 + go0 }
// CHECK-NEXT:       may read sum
// CHECK-NEXT:       may write sum
// CHECK-NEXT:       may read k
// CHECK-NEXT:       may write k
// CHECK-NEXT:   S3, line 13: q[i] = sum;
// CHECK-NEXT:     domain [gs0, go0, rows] -> { S3[w0] : go0 <= w0 < rows and w0 < gs0 + go0 }
// CHECK-NEXT:       read i
// CHECK-NEXT:       read sum
// CHECK-NEXT:       write q[w0]
// CHECK-NEXT:         [gs0, go0, rows] -> { S3[w0] -> q[w0] : go0 <= w0 < rows and w0 < gs0 + go0 }
// CHECK-NEXT: schedule:
// CHECK-NEXT:   work w0
// CHECK-NEXT:     S0
// CHECK-NEXT:     S1
// CHECK-NEXT:     S2
// CHECK-NEXT:     S3
// CHECK-NEXT: assumptions:
// CHECK-NEXT:   get_global_id(0) <= 2147483647, line 7
// CHECK-NEXT:     [gs0, go0, rows] -> {  : go0 <= 2147483648 - gs0 }
// CHECK-NEXT: notes:
// CHECK-NEXT:   clopt-non-affine-control, line 11: a condition or bound here depends on data: 'row_ptr[i + 1]' is read from memory
// CHECK-NEXT:     hint: conditions on ids, loop variables and integer arguments can be analysed
// CHECK-NEXT:   clopt-non-affine-subscript, line 12: the subscript of 'elem' is not affine in ids, loop variables and arguments: 'k' has no value that is known here: it is set under a condition or in a loop that is not analysed, or from data
// CHECK-NEXT:     hint: any element may be touched as far as the analysis can tell; declare it where it gets its value
// CHECK-NEXT:   clopt-non-affine-subscript, line 12: the subscript of 'col' is not affine in ids, loop variables and arguments: 'k' has no value that is known here: it is set under a condition or in a loop that is not analysed, or from data
// CHECK-NEXT:     hint: any element may be touched as far as the analysis can tell; declare it where it gets its value
// CHECK-NEXT:   clopt-non-affine-subscript, line 12: the subscript of 'p' is not affine in ids, loop variables and arguments: 'col[k]' is read from memory
// CHECK-NEXT:     hint: any element may be touched as far as the analysis can tell; pass what all work-items share as an argument
