// A sum per work-item: its iterations keep their order.
__kernel void grid_stride_sums(__global const float *a, __global float *b, int n)
{
    float sum = 0.0f;
    for (int i = get_global_id(0); i < n; i += get_global_size(0))
        sum += a[i];
    b[get_global_id(0)] = sum;
}
