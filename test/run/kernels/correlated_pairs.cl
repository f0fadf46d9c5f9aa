// Correlations of columns: each pair once, stored for both, and ones on the diagonal.
__kernel void correlated_pairs(__global const float *restrict data, __global float *restrict r, int m, int n)
{
    int j = get_global_id(0);
    int i = get_global_id(1);
    if (i < m && j < m && j > i) {
        float sum = 0.0f;
        for (int k = 0; k < n; k++)
            sum += data[k * m + i] * data[k * m + j];
        r[i * m + j] = sum;
        r[j * m + i] = sum;
    } else if (i < m && j == i)
        r[i * m + j] = 1.0f;
}
