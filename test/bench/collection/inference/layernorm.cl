// Mean and variance of a row by one work-item, and by one group.
__kernel void layernorm_rows(__global const float *x, __global const float *gamma, __global const float *beta,
                             __global float *y, int rows, int cols, float eps)
{
    int r = get_global_id(0);
    if (r >= rows)
        return;
    __global const float *row = x + r * cols;
    float mean = 0.0f;
    for (int i = 0; i < cols; i++)
        mean += row[i];
    mean /= cols;
    float var = 0.0f;
    for (int i = 0; i < cols; i++)
        var += (row[i] - mean) * (row[i] - mean);
    var /= cols;
    float inv = rsqrt(var + eps);
    for (int i = 0; i < cols; i++)
        y[r * cols + i] = (row[i] - mean) * inv * gamma[i] + beta[i];
}
