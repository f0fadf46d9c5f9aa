// Bodies in tiles of the group's size, and neighbours of the other dimension in groups of two.
__kernel void group_bodies(__global const float *x, __global const float *m, __global float *out, int n,
                           __local float *tx, __local float *tm) {
  const int i = get_global_id(0), l = get_local_id(0), ly = get_local_id(1);
  const int size = get_local_size(0), at = ly * size + l;
  const float own = i < n ? x[i] : 0.0f;
  float force = 0.0f;
  for (int base = 0; base < n; base += size) {
    tx[at] = base + l < n ? x[base + l] : 0.0f;
    tm[at] = base + l < n ? m[base + l] : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < size; k++) {
      float d = tx[ly * size + k] - own;
      force += tm[ly * size + k] * d / (d * d + 0.5f);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (i < n)
    out[(int)get_global_id(1) * n + i] = force;
}
