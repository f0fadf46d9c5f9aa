// Two operands, each read by row and by column index; every cell is written.
__kernel void syr2k_full(__global const float *restrict a, __global const float *restrict b,
                         __global float *restrict c, float alpha, int n, int d)
{
    int j = get_global_id(0);
    int i = get_global_id(1);
    if (i < n && j < n) {
        for (int k = 0; k < d; k++) {
            c[i * n + j] += alpha * a[i * d + k] * b[j * d + k];
            c[i * n + j] += alpha * b[i * d + k] * a[j * d + k];
        }
    }
}
