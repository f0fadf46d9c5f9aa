// The nearest of some points, and how many lie within reach, told by data.
__kernel void nearest_where(__global const float *restrict points,
                            __global const float *restrict centres,
                            __global const int *restrict used,
                            __global int *restrict nearest,
                            __global float *restrict weight, int n, int count,
                            float reach) {
  int point = get_global_id(0);
  if (point >= n)
    return;
  float least = 1.0e30f;
  float sum = 0.0f;
  int best = -1;
  for (int k = 0; k < count; k++) {
    if (used[k] != 0) {
      float dx = points[2 * point] - centres[2 * k];
      float dy = points[2 * point + 1] - centres[2 * k + 1];
      float distance = dx * dx + dy * dy;
      if (distance < least) {
        least = distance;
        best = k;
      }
      sum += distance < reach ? 1.0f : 0.0f;
    }
  }
  nearest[point] = best;
  weight[point] = sum;
}
