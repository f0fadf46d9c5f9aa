// Every body and all others: the loop leaves out the body itself.
__kernel void bodies_others(__global const float *restrict x,
                            __global const float *restrict y,
                            __global const float *restrict m,
                            __global float *restrict fx,
                            __global float *restrict fy, int n) {
  int i = get_global_id(0);
  if (i >= n)
    return;
  float xi = x[i], yi = y[i], ax = 0.0f, ay = 0.0f;
  for (int j = 0; j < n; j++) {
    if (j != i) {
      float dx = x[j] - xi, dy = y[j] - yi;
      float d = dx * dx + dy * dy + 0.001f;
      ax += m[j] * dx / d;
      ay += m[j] * dy / d;
    }
  }
  fx[i] = ax;
  fy[i] = ay;
}
