// Forces between charges, structs of place and charge, and the nearest of them as a pair.
typedef struct {
    float x, y, charge;
} Body;

__kernel void charges(__global const Body *restrict all, __global float4 *restrict force, __global float2 *restrict near,
                      int n)
{
    int i = get_global_id(0);
    if (i >= n)
        return;
    Body me = all[i];
    float fx = 0.0f, fy = 0.0f;
    float2 best = (float2)(1.0e30f, -1.0f);
    for (int j = 0; j < n; j++) {
        float dx = all[j].x - me.x, dy = all[j].y - me.y;
        float r = dx * dx + dy * dy + 0.25f;
        float s = me.charge * all[j].charge / (r * sqrt(r));
        fx += s * dx;
        fy += s * dy;
        if (r < best.x && j != i) {
            best.x = r;
            best.y = j;
        }
    }
    Body sum = {fx, fy, me.charge};
    force[i] = (float4)(sum.x, sum.y, sum.charge, fmax(fx, fy));
    near[i] = best;
}
