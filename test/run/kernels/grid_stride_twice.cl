// A loop after a loop, each through all of the launch; the second reads what the first has written.
__kernel void grid_stride_twice(__global float *restrict a, __global float *restrict b,
                                __global const float *restrict c, ulong n, int k)
{
    size_t i;
    for (i = get_global_id(0); i < n; i += get_global_size(0)) {
        float sum = 0.0f;
        for (int r = 0; r < k; r++)
            sum += c[r * n + i];
        a[i] = sum;
    }
    for (size_t j = get_global_id(0); j < n; j += get_global_size(0))
        b[j] = a[j] + 3.0f;
}
