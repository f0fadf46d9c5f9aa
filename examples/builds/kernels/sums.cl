#include "scale.h"

// The sum of each column of a matrix, scaled.
__kernel void sums(__global const float *restrict a, __global float *restrict s, int rows, int columns)
{
    int j = get_global_id(0);
    float sum = 0.0f;
    for (int i = 0; i < rows; i++)
        sum += a[i * columns + j];
    s[j] = SCALE * sum;
}
