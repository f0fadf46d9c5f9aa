// Upwind transport with a velocity per cell.
__kernel void advect(__global const float *q, __global const float2 *vel, __global float *out, int nx, int ny, float dt)
{
    int gid = get_global_id(0);
    if (gid >= nx * ny)
        return;
    int i = gid % nx;
    int j = gid / nx;
    if (i == 0 || j == 0 || i == nx - 1 || j == ny - 1) {
        out[gid] = q[gid];
        return;
    }
    float2 v = vel[gid];
    float dx = v.x > 0.0f ? q[gid] - q[gid - 1] : q[gid + 1] - q[gid];
    float dy = v.y > 0.0f ? q[gid] - q[gid - nx] : q[gid + nx] - q[gid];
    out[gid] = q[gid] - dt * (v.x * dx + v.y * dy);
}
