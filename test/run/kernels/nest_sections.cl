// Nests of one work-item with sections for their tiles: a product that all work-items of a group
// read the same operands for, a stencil with a halo in every step, a triangle that counts down,
// and a product whose blocks fit in registers.
__kernel void nest_sections(__global const float *restrict a, __global const float *restrict b,
                            __global float *restrict c, __global float *restrict d,
                            __global float *restrict e, int n) {
    int w = get_global_id(0);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                c[(i * n + j) * n + w] += a[i * n + k] * b[k * n + j];
    for (int t = 0; t < 2; t++)
        for (int y = 1; y < n - 1; y++)
            for (int x = 1; x < n - 1; x++)
                d[((w * 2 + t) * n + y) * n + x] =
                    w * a[y * n + x] + a[(y - 1) * n + x] + a[(y + 1) * n + x] +
                    a[y * n + x - 1] + a[y * n + x + 1];
    for (int p = n - 1; p >= 0; p--)
        for (int q = 0; q <= p; q++)
            e[(w * n + p) * n + q] -= a[p * n + q] * b[q * n + p];
}
