// Neighbours run most iterations of each loop together: the first ends earlier
// from one to the next, the second begins later, the third ends later.
__kernel void shrinking_loops(__global const float *restrict a, __global const int *restrict b,
                              __global float *restrict out, __global int *restrict counts, int n, int lags, int rows)
{
    int l = get_global_id(0), r = get_global_id(1);
    if (l >= lags || r >= rows)
        return;
    float sum = 0.0f;
    for (int i = 0; i + l < n; i++)
        sum += a[r * n + i] * a[r * n + i + l];
    out[r * lags + l] = sum;
    int greatest = -1, count = 0;
    for (int i = l + 1; i < lags; i++)
        greatest = max(greatest, b[i] - b[l]);
    for (int i = 0; i <= l; i++)
        count += b[i] ^ b[l - i];
    counts[r * lags + l] = greatest + count;
}
