__kernel void good(__global float *restrict a, __global const float *restrict b) {
  size_t i = get_global_id(0);
  a[i] = 2.0f * b[i];
}
