// The x component of the electric field, coefficients per material.
__constant float coef_a[4] = {1.0f, 0.98f, 0.95f, 0.9f};
__constant float coef_b[4] = {0.5f, 0.45f, 0.4f, 0.3f};

__kernel void update_ex(__global float *ex, __global const float *hy, __global const float *hz,
                        __global const uchar *material, int nx, int ny, int nz)
{
    int i = get_global_id(0);
    int j = get_global_id(1);
    int k = get_global_id(2);
    if (i < nx && j >= 1 && j < ny && k >= 1 && k < nz) {
        int id = (k * ny + j) * nx + i;
        int m = material[id];
        ex[id] = coef_a[m] * ex[id] + coef_b[m] * ((hz[id] - hz[id - nx]) - (hy[id] - hy[id - nx * ny]));
    }
}
