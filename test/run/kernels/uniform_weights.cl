// F19: a small buffer that all work-items read alike, kept in registers by the recipe.
__kernel void uniform_weights(__global const float *restrict a, __global const float *restrict w,
                              __global float *restrict c, int rows, int columns)
{
    int x = get_global_id(0);
    if (x >= columns)
        return;
    for (int k = 0; k < rows; k++) {
        float s = 0;
        for (int j = 0; j < 4; j++)
            s += w[j] * a[(k + j) * columns + x];
        c[k * columns + x] = s;
    }
}
