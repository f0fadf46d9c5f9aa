// Every group sums a region of its own; the last one takes what is left over.
__kernel void region_sums(__global const float *restrict in,
                          __global float *restrict sums, int n,
                          __local float *part) {
  int length = n / get_num_groups(0);
  int first = get_group_id(0) * length;
  int end = get_group_id(0) == get_num_groups(0) - 1 ? n : first + length;
  int item = get_local_id(0);
  int at = first + item;
  float sum = 0.0f;
  while (at < end) {
    sum += in[at];
    at += get_local_size(0);
  }
  part[item] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint apart = get_local_size(0) / 2; apart > 0; apart >>= 1) {
    if (item < apart)
      part[item] += part[item + apart];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (item == 0)
    sums[get_group_id(0)] = part[0];
}
