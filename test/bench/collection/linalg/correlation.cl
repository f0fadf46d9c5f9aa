// Standard deviations and the correlation matrix, the upper triangle from a two-dimensional launch.
#define EPS 0.005f

__kernel void stddev(__global const float *mean, __global float *std, __global const float *data, int m, int n)
{
    int j = get_global_id(0);
    if (j < m) {
        float acc = 0.0f;
        for (int i = 0; i < n; i++)
            acc += (data[i * m + j] - mean[j]) * (data[i * m + j] - mean[j]);
        acc = sqrt(acc / n);
        std[j] = acc <= EPS ? 1.0f : acc;
    }
}

__kernel void center(__global const float *mean, __global const float *std, __global float *data, int m, int n)
{
    int j = get_global_id(0);
    int i = get_global_id(1);
    if (i < n && j < m) {
        data[i * m + j] -= mean[j];
        data[i * m + j] /= (sqrt((float)n) * std[j]);
    }
}

__kernel void corr(__global const float *data, __global float *symmat, int m, int n)
{
    int j2 = get_global_id(0);
    int j1 = get_global_id(1);
    if (j1 < m && j2 < m && j2 > j1) {
        float s = 0.0f;
        for (int i = 0; i < n; i++)
            s += data[i * m + j1] * data[i * m + j2];
        symmat[j1 * m + j2] = s;
        symmat[j2 * m + j1] = s;
    } else if (j1 < m && j1 == j2) {
        symmat[j1 * m + j2] = 1.0f;
    }
}
