// All pairs, bodies of a tile in local memory.
__kernel void nbody_tile(__global const float4 *pos, __global float4 *acc, const int n, const float eps,
                         __local float4 *tile)
{
    const int gid = get_global_id(0);
    const int lid = get_local_id(0);
    const int ls = get_local_size(0);
    float4 me = pos[min(gid, n - 1)];
    float3 a = (float3)(0.0f, 0.0f, 0.0f);
    for (int base = 0; base < n; base += ls) {
        tile[lid] = base + lid < n ? pos[base + lid] : (float4)(0.0f);
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int j = 0; j < ls; j++) {
            float3 d = tile[j].xyz - me.xyz;
            float inv = rsqrt(dot(d, d) + eps);
            a += tile[j].w * inv * inv * inv * d;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (gid < n)
        acc[gid] = (float4)(a, 0.0f);
}
