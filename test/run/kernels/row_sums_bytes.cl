// F14: a section of bytes whose rows lie turned in local memory.
__kernel void row_sums_bytes(__global const uchar *restrict A, __global const uchar *restrict x,
                             __global int *restrict y, int n) {
  int i = get_global_id(0);
  if (i < n) {
    int sum = 0;
    for (int k = 0; k < n; k++)
      sum += A[i * n + k] * x[k];
    y[i] = sum;
  }
}
