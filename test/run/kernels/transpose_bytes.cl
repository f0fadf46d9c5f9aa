// F14: a tile of bytes, transposed through local memory.
__kernel void transpose_bytes(__global const uchar *restrict a, __global uchar *restrict b, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x < w && y < h) b[x * h + y] = a[y * w + x];
}
