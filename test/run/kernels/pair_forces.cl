// Every body against every other one: four lanes per body, one load for all work-items.
__kernel void pair_forces(__global const float4 *restrict body, __global float4 *restrict force, float soft, int n)
{
    int i = get_global_id(0);
    if (i < n) {
        float4 sum = (float4)(0.0f);
        for (int j = 0; j < n; j++) {
            float4 d = body[j] - body[i];
            float r = d.x * d.x + d.y * d.y + d.z * d.z + soft;
            sum += d * (body[j].w / r);
        }
        force[i] = sum;
    }
}
