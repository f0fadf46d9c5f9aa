__kernel void product(__global float *a, __global float *b, __global float *c) {
  int j = get_global_id(0);
  int i = get_global_id(1);
  if (i < 1021 && j < 1033)
    for (int k = 0; k < NK; k++)
      c[i * 1033 + j] += a[i * NK + k] * b[k * 1033 + j];
}
