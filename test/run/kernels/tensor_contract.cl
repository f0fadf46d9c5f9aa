// A contraction over two indices, with operands in unlike orders.
__kernel void tensor_contract(__global const float *restrict a, __global const float *restrict b,
                              __global float *restrict c, int m, int n, int k, int l)
{
    int j = get_global_id(0);
    int i = get_global_id(1);
    if (i < m && j < n) {
        float sum = 0.0f;
        for (int p = 0; p < k; p++)
            for (int q = 0; q < l; q++)
                sum += a[(p * m + i) * l + q] * b[(q * k + p) * n + j];
        c[j * m + i] = sum;
    }
}
