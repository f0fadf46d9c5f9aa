// 64-bit sizes and indices.
__kernel void long_index(__global const float *a, __global float *b, long n)
{
    long i = get_global_id(0);
    if (i < n)
        for (long k = 0; k < 3; k++)
            b[k * n + i] = a[i * 3 + k];
}
