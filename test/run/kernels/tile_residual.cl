// A step of a relaxation whose group sums what it changed, in a tree that is
// written out for a known group.
#define ITEMS 32
__kernel void tile_residual(__global const float *restrict old,
                            __global const float *restrict across,
                            __global const float *restrict along,
                            __global float *restrict new_values,
                            __global float *restrict changed, int width,
                            int height) {
  int x = get_global_id(0), y = get_global_id(1);
  int item = get_local_id(1) * get_local_size(0) + get_local_id(0);
  __local float changes[ITEMS];
  changes[item] = 0.0f;
  if (x >= 1 && x <= width && y >= 1 && y <= height) {
    int at = y * (width + 2) + x;
    float value = (old[at] + across[at] * old[at - 1] +
                   across[at + 1] * old[at + 1] + along[at] * old[at - width - 2] +
                   along[at + width + 2] * old[at + width + 2]) *
                  0.25f;
    new_values[at] = value;
    changes[item] = fabs(value - old[at]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int apart = ITEMS / 2; apart > 0; apart /= 2) {
    if (item < apart)
      changes[item] += changes[item + apart];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (item == 0)
    changed[get_group_id(1) * get_num_groups(0) + get_group_id(0)] = changes[0];
}
