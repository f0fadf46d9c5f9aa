// A matrix and its transposed: one array is read along both directions.
__kernel void transpose_add(__global const long *restrict a, __global long *restrict b, int n)
{
    int j = get_global_id(0);
    int i = get_global_id(1);
    if (i < n && j < n)
        b[i * n + j] = a[i * n + j] + 3 * a[j * n + i];
}
