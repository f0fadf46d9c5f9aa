// 27 points in double, with unsigned sizes and signed steps between them.
#define A(i, j, k) a[((k) * ny + (j)) * nx + (i)]
__kernel void weighted_box(__global const double *a, __global double *b, uint nx, uint ny, uint nz)
{
    size_t i = get_global_id(0), j = get_global_id(1), k = get_global_id(2);
    if (i == 0 || j == 0 || k == 0 || i >= nx - 1 || j >= ny - 1 || k >= nz - 1) return;
    double s = 0;
    for (int dk = -1; dk <= 1; dk++)
        for (int dj = -1; dj <= 1; dj++)
            for (int di = -1; di <= 1; di++)
                s += A(i + di, j + dj, k + dk) * (1.0 / (1 + abs(di) + abs(dj) + abs(dk)));
    b[(k * ny + j) * nx + i] = s;
}
