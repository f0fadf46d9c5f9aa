// One loop after the other over the same rows: what the first writes the second reads, a cell behind.
__kernel void rows_in_turn(__global const float *restrict a, __global float *restrict b, __global float *restrict c,
                           int m, int n)
{
    int i = get_global_id(0);
    if (i >= m)
        return;
    float sum = 0.0f;
    for (int k = 0; k < n; k++)
        b[i * n + k] = 2.0f * a[i * n + k];
    for (int l = 0; l < n; l++) {
        sum += b[i * n + l] - (l > 0 ? b[i * n + l - 1] : 0.0f);
        c[i * n + l] = sum;
    }
}
