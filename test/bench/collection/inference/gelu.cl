// Activations element by element: gelu, silu with gate, leaky.
#define GELU_COEF_A 0.044715f
#define SQRT_2_OVER_PI 0.79788456f

__kernel void gelu(__global const float *src, __global float *dst, const ulong n)
{
    size_t i = get_global_id(0);
    if (i >= n)
        return;
    float x = src[i];
    dst[i] = 0.5f * x * (1.0f + tanh(SQRT_2_OVER_PI * x * (1.0f + GELU_COEF_A * x * x)));
}

__kernel void silu_mul(__global const float *gate, __global const float *up, __global float *dst, const int n)
{
    int i = get_global_id(0);
    if (i < n) {
        float x = gate[i];
        dst[i] = x / (1.0f + exp(-x)) * up[i];
    }
}

__kernel void leaky(__global float *x, const int n, const float slope)
{
    int i = (get_group_id(0) + get_group_id(1) * get_num_groups(0)) * get_local_size(0) + get_local_id(0);
    if (i < n)
        x[i] = x[i] > 0.0f ? x[i] : slope * x[i];
}
