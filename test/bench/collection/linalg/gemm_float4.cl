// Four columns per work-item as one float4; n is a multiple of four.
__kernel void gemm_f4(__global const float *a, __global const float4 *b, __global float4 *c, int n, int k)
{
    int col = get_global_id(0);
    int row = get_global_id(1);
    int n4 = n / 4;
    if (col >= n4)
        return;
    float4 acc = (float4)(0.0f);
    for (int i = 0; i < k; i++) {
        float av = a[row * k + i];
        acc += av * b[i * n4 + col];
    }
    c[row * n4 + col] = acc;
}
