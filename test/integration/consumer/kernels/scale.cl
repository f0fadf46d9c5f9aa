#include "factor.h"

// y = FACTOR * x + OFFSET + EXTRA, with a "quoted" word and a \ in the comment: Größe.
__kernel void scale(__global const int *restrict x, __global int *restrict y, int n) {
  int i = get_global_id(0);
  if (i < n)
    y[i] = FACTOR * x[i] + OFFSET + EXTRA;
}
