// Potential on a slice of a grid, atoms in constant memory.
#define MAXATOMS 4000

__kernel void cenergy(int numatoms, float gridspacing, __global float *energygrid, __constant float4 *atominfo, int gx, int gy)
{
    unsigned int xindex = get_global_id(0);
    unsigned int yindex = get_global_id(1);
    if (xindex >= gx || yindex >= gy)
        return;
    unsigned int outaddr = gx * yindex + xindex;
    float coorx = gridspacing * xindex;
    float coory = gridspacing * yindex;
    float energyval = 0.0f;
    for (int atomid = 0; atomid < numatoms; atomid++) {
        float dx = coorx - atominfo[atomid].x;
        float dy = coory - atominfo[atomid].y;
        energyval += atominfo[atomid].w * native_rsqrt(dx * dx + dy * dy + atominfo[atomid].z);
    }
    energygrid[outaddr] += energyval;
}
