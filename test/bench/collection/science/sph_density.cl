// Density of particles by a kernel of compact support over cells of a grid, sorted particles.
__kernel void sph_density(__global const float4 *pos, __global const int *cellStart, __global float *density, int n,
                          int gridX, int gridY, float h, float mass)
{
    int i = get_global_id(0);
    if (i >= n)
        return;
    float4 p = pos[i];
    int cx = clamp((int)(p.x / h), 0, gridX - 1);
    int cy = clamp((int)(p.y / h), 0, gridY - 1);
    float h2 = h * h;
    float sum = 0.0f;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) {
            int gx = cx + dx, gy = cy + dy;
            if (gx < 0 || gy < 0 || gx >= gridX || gy >= gridY)
                continue;
            int cell = gy * gridX + gx;
            for (int j = cellStart[cell]; j < cellStart[cell + 1]; j++) {
                float4 q = pos[j];
                float rx = p.x - q.x, ry = p.y - q.y;
                float r2 = rx * rx + ry * ry;
                if (r2 < h2) {
                    float d = h2 - r2;
                    sum += d * d * d;
                }
            }
        }
    density[i] = mass * sum;
}
