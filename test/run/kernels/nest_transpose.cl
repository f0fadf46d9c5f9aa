// Matrices that a work-item transposes: its rows are read, columns written.
__kernel void nest_transpose(__global float *restrict b, const __global float *restrict a, int n,
                             int m) {
    int w = get_global_id(0);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            b[(w * m + j) * n + i] = a[(w * n + i) * m + j];
}
