__kernel void rows(__global const float *restrict a, __global float *restrict r, int n) {
  int i = get_global_id(0);
  for (int k = 0; k < n; k++)
    r[i] += a[k * n + i];
}
