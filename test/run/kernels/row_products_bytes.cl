// F14: sections of bytes whose rows lie turned in local memory.
__kernel void row_products_bytes(__global const uchar *restrict A, __global const uchar *restrict B,
                                 __global int *restrict C, int n) {
  int j = get_global_id(0), i = get_global_id(1);
  if (i < n && j < n) {
    int sum = 0;
    for (int k = 0; k < n; k++)
      sum += A[i * n + k] * B[j * n + k];
    C[i * n + j] = sum;
  }
}
