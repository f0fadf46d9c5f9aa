// Five points on a torus with sizes as macros.
#ifndef W
#define W 4096
#define H 4096
#endif

__kernel void heat_torus(__global const float *a, __global float *b, float k)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= W || y >= H)
        return;
    int xl = (x + W - 1) % W, xr = (x + 1) % W, yu = (y + H - 1) % H, yd = (y + 1) % H;
    b[y * W + x] = a[y * W + x] + k * (a[y * W + xl] + a[y * W + xr] + a[yu * W + x] + a[yd * W + x] - 4 * a[y * W + x]);
}
