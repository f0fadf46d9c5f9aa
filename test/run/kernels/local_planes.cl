// F13: local arrays of vectors whose components have a plane each.
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void local_planes(__global const float4 *restrict v, __global const uint *restrict p,
                  __global float4 *restrict out, __global int *restrict sums, int n) {
  __local float4 t[64];
  __local float3 three[2][64];
  __local ushort2 pairs[64];
  int l = get_local_id(0), i = get_global_id(0);
  float4 zero = (float4)(0.0f);
  t[l] = i < n ? v[i] : zero;
  three[0][l] = t[l].zyx;
  three[1][l].x = three[0][l].y;
  three[1][l].y = 2.0f;
  three[1][l].z = three[0][l].x + 1.0f;
  pairs[l] = (ushort2)((ushort)(i & 63), (ushort)(63 - l));
  pairs[l].y++;
  barrier(CLK_LOCAL_MEM_FENCE);
  float4 sum = zero;
  for (int k = 0; k < 64; k++) {
    sum.xyz += three[k & 1][(l + k) & 63];
    sum.w += t[(l + k) & 63].w * t[k].x;
  }
  int of = i < n ? (int)(p[i] & 63) : 0;
  int total = pairs[of].x + pairs[of].y;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = 32; s > 0; s >>= 1) {
    if (l < s)
      t[l] += t[l + s];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (i < n) {
    out[i] = sum + t[0];
    sums[i] = total;
  }
}
