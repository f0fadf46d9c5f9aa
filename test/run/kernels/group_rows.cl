// Rows of a group each: loops that work-items begin apart, trees whose size the launch gives, and barriers that values
// which all work-items compute decide on.
__kernel void group_rows(__global const float *a, __global const float *x, __global float *y, __global float *z,
                         __global const int *turns, int n, __local float *t) {
  const int row = get_group_id(0);
  const int l = get_local_id(0);
  const int size = get_local_size(0);
  float sum = 0.0f;
  for (int j = l; j < n; j += size)
    sum += a[row * n + j] * x[j];
  for (size_t j = l; j < (size_t)n; j += get_local_size(0)) {
    float d = a[row * n + (int)j] - x[j];
    if (d > 0.25f)
      sum += d;
  }
  t[l] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = size / 2; s > 0; s >>= 1) {
    if (l < s)
      t[l] += t[l + s];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0)
    y[row] = t[0];
  const float mean = t[0] / n;
  barrier(CLK_LOCAL_MEM_FENCE);
  int count = 0;
  for (int k = 0; k <= turns[row]; k++)
    count += k;
  const int rounds = min(count, 7);
  float carry = mean;
  for (int r = 0; r < rounds; r++) {
    t[l] = carry;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < size; k++)
      carry += t[k] * 0.125f;
    carry *= 0.5f;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int j = l; j < n; j += size)
    z[row * n + j] = a[row * n + j] * carry;
}
