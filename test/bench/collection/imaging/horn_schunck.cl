// One iteration of Horn and Schunck.
__kernel void horn_schunck(__global const float *u, __global const float *v, __global const float *Ix,
                           __global const float *Iy, __global const float *It, __global float *un, __global float *vn,
                           int w, int h, float alpha2)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= w || y >= h)
        return;
    int xl = max(x - 1, 0), xr = min(x + 1, w - 1), yu = max(y - 1, 0), yd = min(y + 1, h - 1);
    float ub = 0.25f * (u[y * w + xl] + u[y * w + xr] + u[yu * w + x] + u[yd * w + x]);
    float vb = 0.25f * (v[y * w + xl] + v[y * w + xr] + v[yu * w + x] + v[yd * w + x]);
    int p = y * w + x;
    float t = (Ix[p] * ub + Iy[p] * vb + It[p]) / (alpha2 + Ix[p] * Ix[p] + Iy[p] * Iy[p]);
    un[p] = ub - Ix[p] * t;
    vn[p] = vb - Iy[p] * t;
}
