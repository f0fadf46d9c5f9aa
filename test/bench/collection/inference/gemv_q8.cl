// Rows of blocks of 32 signed bytes with a scale per block, times a float vector.
#define QK 32

__kernel void gemv_q8(__global const char *qs, __global const float *scales, __global const float *x, __global float *y,
                      const int rows, const int blocks)
{
    const int r = get_global_id(0);
    if (r >= rows)
        return;
    float acc = 0.0f;
    for (int b = 0; b < blocks; b++) {
        float s = 0.0f;
        for (int i = 0; i < QK; i++)
            s += (float)qs[(r * blocks + b) * QK + i] * x[b * QK + i];
        acc += s * scales[r * blocks + b];
    }
    y[r] = acc;
}
