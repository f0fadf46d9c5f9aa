/* Sizes that the host puts into memory. */

typedef struct {
  int n, stride;
  struct {
    int width;
    uint border;
  } shape;
  float scale;
} Settings;

__kernel void by_struct(__global const float *restrict a,
                        __global float *restrict r,
                        __constant Settings *settings) {
  const int i = get_global_id(0);
  if (i >= settings->shape.width)
    return;
  float s = 0.0f;
  for (int k = 0; k < settings->n; k++)
    s += a[k * settings->stride + i] * settings->scale;
  r[i] = s;
}

/* The second element, and one in a loop that the first one shows to be there. */
__kernel void by_cell(__global const float *restrict a,
                      __global float *restrict r,
                      __global const int *restrict sizes) {
  const int i = get_global_id(0);
  const int n = sizes[2];
  if (i >= sizes[0])
    return;
  float s = 0.0f;
  for (int k = 0; k < n; k++)
    s = s * 0.5f + a[k * sizes[1] + i];
  r[i] = s;
}

/* May be written: what is read is no argument. */
__kernel void written_between(__global float *a, __global const int *sizes,
                              __global int *counts) {
  const int i = get_global_id(0);
  for (int k = 0; k < counts[0]; k++)
    a[k * sizes[0] + i] += 1.0f;
}

/* Only read where an argument says so. */
__kernel void by_mode(__global const float *restrict a,
                      __global float *restrict r,
                      __global const int *restrict sizes, int mode, int w) {
  const int i = get_global_id(0);
  if (i >= w)
    return;
  int n = 3;
  if (mode == 2)
    n = sizes[1];
  float s = 0.0f;
  for (int k = 0; k < n; k++)
    s += a[k * w + i];
  r[i] = s;
}
