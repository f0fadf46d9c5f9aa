// A transposed times B: both operands are walked down their columns; sizes differ in all three directions.
__kernel void matmul_tn(__global const float *restrict a, __global const float *restrict b,
                        __global float *restrict c, int m, int n, int k)
{
    int j = get_global_id(0);
    int i = get_global_id(1);
    if (i < m && j < n) {
        float sum = 0.0f;
        for (int l = 0; l < k; l++)
            sum += a[l * m + i] * b[l * n + j];
        c[i * n + j] = sum;
    }
}
