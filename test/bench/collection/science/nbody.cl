// All pairs of bodies, float4 with the mass in w.
__kernel void nbody(__global const float4 *pos, __global const float4 *vel, int numBodies, float deltaTime, float epsSqr,
                    __global float4 *newPosition, __global float4 *newVelocity)
{
    unsigned int gid = get_global_id(0);
    if (gid >= numBodies)
        return;
    float4 myPos = pos[gid];
    float4 acc = (float4)0.0f;
    for (int i = 0; i < numBodies; i++) {
        float4 p = pos[i];
        float4 r;
        r.xyz = p.xyz - myPos.xyz;
        r.w = 0.0f;
        float distSqr = r.x * r.x + r.y * r.y + r.z * r.z;
        float invDist = 1.0f / sqrt(distSqr + epsSqr);
        float s = p.w * invDist * invDist * invDist;
        acc += s * r;
    }
    float4 oldVel = vel[gid];
    float4 newPos = myPos + oldVel * deltaTime + acc * 0.5f * deltaTime * deltaTime;
    newPos.w = myPos.w;
    newPosition[gid] = newPos;
    newVelocity[gid] = oldVel + acc * deltaTime;
}
