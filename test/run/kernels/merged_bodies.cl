// Forces between bodies, a tile of them at a time in local memory; groups of any size up to the tile.
#define LARGEST 16
__kernel void merged_bodies(__global const float4 *restrict body, __global float4 *restrict force,
                            int tiles)
{
    __local float4 tile[LARGEST];
    int i = get_global_id(0);
    int l = get_local_id(0);
    int size = get_local_size(0);
    float4 own = body[i];
    float4 sum = (float4)(0.0f);
    for (int t = 0; t < tiles; t++) {
        tile[l] = body[t * size + l];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < size; k++) {
            float4 d = tile[k] - own;
            float r = d.x * d.x + d.y * d.y + d.z * d.z + 0.125f;
            sum += d * (tile[k].w / r);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    force[i] = sum;
}
