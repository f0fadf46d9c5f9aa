// Each work-item adds up the columns of its own plane: the author's inner loop goes from row to row.
__kernel void plane_columns(__global const float *restrict planes, __global float *restrict sums,
                            __global float *restrict below, int n) {
    int p = get_global_id(0);
    for (int i = 0; i < n; i++) {
        sums[p * n + i] = 0.5f;
        for (int j = 0; j < n; j++)
            sums[p * n + i] += planes[(p * n + j) * n + i];
    }
    for (int x = 0; x < n; x++)
        for (int y = x; y < n; y++)
            below[p * n + x] = planes[(p * n + y) * n + x] - below[p * n + x];
}
