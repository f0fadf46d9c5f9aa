// Row sums below the diagonal, and what every row sees first to its right.
__kernel void triangle_own(__global const int *restrict a,
                           __global const int *restrict v,
                           __global int *restrict sum,
                           __global int *restrict seen, int n) {
  int i = get_global_id(0);
  int s = 0, last = -1;
  for (int j = 0; j <= i; j++)
    s += a[i * n + j] * v[j];
  for (int j = 0; j < n; j++) {
    if (j == i)
      continue;
    last = v[j];
    if (last > 3)
      s += last;
    if (j < i)
      seen[i * n + j] = last + j;
  }
  sum[i] = s + last;
}
