// F11: a private table of constants, walked through by a loop of unknown length.
__kernel void table_filter(__global const float *restrict a, __global float *restrict y, int n, int taps) {
  const float w[12] = {0.5f, -0.25f, 2, 3.5f, 1, -1, 0.125f, 4, 5, 6, 1.5f * 2, 0.75f};
  const short order[2][3] = {{0, 2, 1}, {1, 0, 2}};
  int i = get_global_id(0);
  if (i < n) {
    float sum = 0;
    for (int k = 0; k < taps; k++)
      if (i + k < n)
        sum += a[i + k] * w[k % 12] * order[k & 1][taps % 3];
    y[i] = sum;
  }
}
