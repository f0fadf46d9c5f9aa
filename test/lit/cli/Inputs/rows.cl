__kernel void rows(__global const float *a, __global float *s, int n) {
  int i = get_global_id(0);
  float sum = 0.0f;
  for (int k = 0; k < n; k++)
    sum += a[k * n + i];
  s[i] = sum;
}
