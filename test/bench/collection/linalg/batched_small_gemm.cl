// Many products of N x N matrices, one matrix per work-item.
#define N 4

__kernel void batched_gemm4(__global const float *A, __global const float *B, __global float *C, int batch)
{
    int b = get_global_id(0);
    if (b >= batch)
        return;
    __global const float *a = A + b * N * N;
    __global const float *bb = B + b * N * N;
    __global float *c = C + b * N * N;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            float s = 0.0f;
            for (int k = 0; k < N; k++)
                s += a[i * N + k] * bb[k * N + j];
            c[i * N + j] = s;
        }
}
