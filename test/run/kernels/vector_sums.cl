// F9: sums of vectors in memory, and a row of pairs per work-item.
__kernel void vector_sums(__global const float2 *restrict pairs, __global float4 *restrict sums,
                          __global float2 *restrict rows, int n) {
  int i = get_global_id(0);
  if (i >= n)
    return;
  for (int k = 0; k < n; k++) {
    sums[i] += (float4)(pairs[i * n + k], pairs[k]);
    rows[i * n + k] = sums[i].wx;
  }
}
