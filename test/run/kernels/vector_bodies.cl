// F12: forces between bodies that are vectors; the work-item's own one is read outside the loop.
__kernel void vector_bodies(__global const float4 *restrict pos, __global const float4 *restrict vel,
                            __global float4 *restrict newPos, __global float4 *restrict newVel,
                            int n, float dt, float eps) {
  int i = get_global_id(0);
  if (i >= n)
    return;
  float4 mine = pos[i];
  float4 acc = (float4)(0.0f);
  for (int j = 0; j < n; j++) {
    float4 p = pos[j];
    float4 r;
    r.xyz = p.xyz - mine.xyz;
    float d = r.x * r.x + r.y * r.y + r.z * r.z + eps;
    float inv = 1.0f / sqrt(d * d * d);
    acc.xyz += p.w * inv * r.xyz;
  }
  float4 old = vel[i];
  newPos[i] = (float4)(mine.xyz + old.xyz * dt + acc.xyz * 0.5f * dt * dt, mine.w);
  newVel[i] = (float4)(old.xyz + acc.xyz * dt, old.w);
}
