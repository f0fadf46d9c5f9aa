// Blocks of nested loops: a product of small matrices per work-item, triangles, a band, loops that
// count downward.
__kernel void tile_nests(__global const float *restrict a, __global const float *restrict b,
                         __global float *restrict c, __global float *restrict d,
                         __global float *restrict e, int n) {
    int w = get_global_id(0);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            c[(w * n + i) * n + j] = 0;
            for (int k = 0; k < n; k++)
                c[(w * n + i) * n + j] += a[i * n + k] + b[k * n + j];
        }
    for (int p = 0; p < n; p++) {
        float scale = a[p] + w;
        for (int q = p; q < n; q++)
            d[w * n + q] += scale + b[q * n + p];
    }
    for (int s = n - 1; s > 0; s--)
        for (int t = s; t >= max(s - 4, 0); t--)
            e[w * n + t] = b[t * n + s] - e[w * n + t];
}
