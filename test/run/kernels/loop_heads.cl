// Loops whose tests have effects or stand elsewhere, and iterations that data ends early.

__kernel void counted_down(__global float *o, __global const float *a, int n, int m) {
  int i = get_global_id(0);
  if (i >= n)
    return;
  float s = 0;
  int k = m;
  while (k-- > 0)
    s = s * 0.5f + a[i * m + k];
  o[i] = s + k;
}

__kernel void at_least_once(__global float *o, __global const float *a, int n, int m) {
  int i = get_global_id(0);
  if (i >= n)
    return;
  float s = 0;
  int k = 0;
  do {
    s = s * 0.5f + a[i * m + k];
  } while (++k < m);
  o[i] = s + k;
}

__kernel void tested_within(__global float *o, __global const float *a, int n, int m) {
  int i = get_global_id(0);
  if (i >= n)
    return;
  float s = 0;
  int k = 0;
  for (;;) {
    if (k >= m)
      break;
    s += a[k * n + i] * a[i * m + k];
    k++;
  }
  o[i] = s + k;
}

__kernel void skipped_by_data(__global int *o, __global const int *a, int n, int m) {
  int i = get_global_id(0);
  if (i >= n)
    return;
  int s = 0;
  for (int k = 0; k < m; k++) {
    int v = a[i * m + k];
    if (v & 1)
      continue;
    s = s * 3 + v;
    if (v & 2)
      continue;
    s += k;
  }
  o[i] = s;
}
