// Product of complex matrices, float2 as number.
float2 cmul(float2 a, float2 b) { return (float2)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }

__kernel void cgemm(__global const float2 *A, __global const float2 *B, __global float2 *C, int M, int N, int K)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    if (x < N && y < M) {
        float2 acc = (float2)(0.0f, 0.0f);
        for (int k = 0; k < K; ++k)
            acc += cmul(A[y * K + k], B[k * N + x]);
        C[y * N + x] = acc;
    }
}
