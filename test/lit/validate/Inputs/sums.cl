__kernel void sums(__global const float *a, __global float *r, int n) {
  int i = get_global_id(0);
  float s = 0.0f;
  for (int k = 0; k < n; k++)
    s += a[k];
  r[i] = s;
}
