// Dimension 0 of the NDRange is the row: neighbours in a group are far apart in memory.
__kernel void matmul_rows_first(__global const int *restrict a, __global const int *restrict b,
                                __global int *restrict c, int m, int n, int k)
{
    int i = get_global_id(0);
    int j = get_global_id(1);
    if (i < m && j < n) {
        int sum = 0;
        for (int l = 0; l < k; l++)
            sum += a[i * k + l] * b[l * n + j];
        c[i * n + j] = sum;
    }
}
