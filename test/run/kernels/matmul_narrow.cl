// Narrow operands, a wide sum and a long result; the inner loop runs downwards.
__kernel void matmul_narrow(__global const uchar *restrict a, __global const short *restrict b,
                            __global long *restrict c, int m, int n, int k)
{
    int j = get_global_id(0);
    int i = get_global_id(1);
    if (i < m && j < n) {
        int sum = 0;
        for (int l = k - 1; l >= 0; l--)
            sum += a[i * k + l] * b[l * n + j];
        c[i * n + j] = (long)sum << 3;
    }
}
