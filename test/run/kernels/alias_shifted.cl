// b begins 64 elements into a: rows of 64 are shifted down by one within a work-item's
// column, so each step reads what the step before it wrote.
__kernel void alias_shifted(__global const float *a, __global float *b, int rows)
{
    int x = get_global_id(0);
    for (int y = 0; y < rows; y++)
        b[y * 64 + x] = a[y * 64 + x] * 1.5f;
}
