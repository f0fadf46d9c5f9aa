// Column-major with a leading dimension that is larger than the column.
__kernel void column_major(__global const float *a, __global float *c, int m, int lda)
{
    int row = get_global_id(0);
    int col = get_global_id(1);
    if (row < m)
        c[row + col * lda] = a[row + col * lda] + a[col * lda];
}
