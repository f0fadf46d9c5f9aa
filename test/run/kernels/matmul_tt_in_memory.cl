// Both operands transposed; the result is scaled first and then accumulated in global memory.
__kernel void matmul_tt_in_memory(__global const float *restrict a, __global const float *restrict b,
                                  __global float *restrict c, float beta, int m, int n, int k)
{
    int j = get_global_id(0), i = get_global_id(1);
    if (i < m && j < n) {
        c[i * n + j] *= beta;
        for (int l = 0; l < k; ++l)
            c[i * n + j] += a[l * m + i] * b[j * k + l];
    }
}
