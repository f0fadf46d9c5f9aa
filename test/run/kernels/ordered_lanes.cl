/* Values that go from one iteration to the next, in one statement each: the
   iterations before it are lanes, the statement takes them in turn. */

__kernel void nearest(__global const float *restrict x,
                      __global const float *restrict c,
                      __global int *restrict label, __global float *restrict r,
                      int n, int m, int d) {
  const int p = get_global_id(0);
  if (p >= n)
    return;
  float best = FLT_MAX;
  int index = -1;
  for (int i = 0; i < m; i++) {
    float s = 0.0f;
    for (int l = 0; l < d; l++) {
      const float t = x[p * d + l] - c[i * d + l];
      s += t * t;
    }
    if (s < best) {
      best = s;
      index = i;
    }
  }
  label[p] = index;
  r[p] = best;
}

/* A list of what is near, and how long it is. */
__kernel void listed(__global const float *restrict x,
                     __global const float *restrict c,
                     __global int *restrict list, __global int *restrict found,
                     int n, int m, int d, float cutoff) {
  const int p = get_global_id(0);
  if (p >= n)
    return;
  int count = 0;
  for (int i = m - 1; i >= 0; i--) {
    float s = 0.0f;
    for (int l = 0; l < d; l++)
      s = fmax(s, fabs(x[p * d + l] - c[i * d + l]));
    if (s < cutoff)
      list[p * m + count++] = i;
  }
  for (int i = count; i < m; i++)
    list[p * m + i] = -1;
  found[p] = count;
}

/* Sums in memory, and one that is none of them. */
__kernel void weighted(__global const float *restrict x,
                       __global const float *restrict c,
                       __global const float *restrict v,
                       __global float *restrict o, int n, int m, int d) {
  const int p = get_global_id(0);
  if (p >= n)
    return;
  float sum = 0.0f;
  for (int l = 0; l < d; l++)
    o[p * d + l] = 0.0f;
  for (int i = 0; i < m; i += 2) {
    float s = 0.0f;
    for (int l = 0; l < d; l++)
      s += x[p * d + l] * c[i * d + l];
    const float w = 1.0f / (1.0f + s * s);
    sum = sum * 0.5f + w;
    for (int l = 0; l < d; l++)
      o[p * d + l] += w * v[i * d + l];
  }
  for (int l = 0; l < d; l++)
    o[p * d + l] /= sum;
}

/* The three nearest ones, in an array, and vectors. */
__kernel void nearest_three(__global const float *restrict x,
                            __global const float *restrict c,
                            __global float *restrict r,
                            __global float4 *restrict f, int n, int m, int d) {
  const int p = get_global_id(0);
  if (p >= n)
    return;
  float near[3] = {1e30f, 1e30f, 1e30f};
  float4 force = (float4)(0.0f);
  int last = 0;
  for (int i = 0; i < m; i++) {
    float s = 0.0f;
    for (int l = 0; l < d; l++) {
      const float t = x[p * d + l] - c[i * d + l];
      s += t * t;
    }
    if (s < near[2]) {
      int k = 2;
      while (k > 0 && s < near[k - 1]) {
        near[k] = near[k - 1];
        k--;
      }
      near[k] = s;
    }
    force += (float4)(s, 1.0f, s + 1.0f, c[i * d]) * 0.5f;
    last = i + 1;
  }
  for (int k = 0; k < 3; k++)
    r[3 * p + k] = near[k];
  force.w += last;
  f[p] = force;
}

/* Counts at places that iterations compute, and a least value in memory. */
__kernel void binned(__global const float *restrict x,
                     __global const float *restrict c,
                     __global int *restrict bins, __global float *restrict least,
                     int n, int m, int d, int k) {
  const int p = get_global_id(0);
  if (p >= n)
    return;
  for (int i = 0; i < m; i++) {
    float s = 0.0f;
    for (int l = 0; l < d; l++)
      s += fabs(x[p * d + l] - c[i * d + l]);
    const int b = min(k - 1, (int)(s * 2.0f));
    bins[p * k + b] += i + 1;
    least[p] = fmin(least[p], s);
  }
}

/* A pointer that goes on. */
__kernel void walked(__global const float *restrict x,
                     __global const float *restrict c,
                     __global float *restrict r, int n, int m, int d) {
  const int p = get_global_id(0);
  if (p >= n)
    return;
  __global float *to = r + p * m;
  uint mixed = 17u;
  for (int i = 0; i < m; i++) {
    float s = 0.0f;
    for (int l = 0; l < d; l++)
      s += x[p * d + l] * c[i * d + l];
    mixed = mixed * 31u + (uint)(int)s;
    *to++ = s;
  }
  if (m > 0)
    r[p * m] += (float)(mixed & 255u);
}
