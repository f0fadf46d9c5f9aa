// A matrix in bytes, with a scale for every 32 of them, times a vector.
__kernel void scaled_blocks(__global const char *weight, __global const float *scale, __global const float *x,
                            __global float *restrict y, int rows, int cols)
{
    int row = get_global_id(0);
    if (row >= rows)
        return;
    float sum = 0.0f;
    for (int block = 0; block < cols / 32; block++) {
        float part = 0.0f;
        for (int k = 0; k < 32; k++)
            part += weight[row * cols + block * 32 + k] * x[block * 32 + k];
        sum += part * scale[row * (cols / 32) + block];
    }
    y[row] = sum;
}
