// Products with triangles: neighbours run the same iterations but for the last or first ones.
__kernel void lower_times(__global const float *A, __global const float *B, __global float *C,
                          const int M, const int N, const float alpha)
{
    const int col = get_global_id(0);
    const int row = get_global_id(1);
    if (row >= M || col >= N)
        return;
    float acc = B[row * N + col];
    for (int k = 0; k < row; k++)
        acc += A[row * M + k] * B[k * N + col];
    C[row * N + col] = alpha * acc;
}

__kernel void lower_diagonal(__global const float *restrict A, __global const float *restrict B,
                             __global float *restrict C, int M, int N)
{
    int j = get_global_id(0), i = get_global_id(1);
    if (i < M && j < N) {
        C[i * N + j] = 0.0f;
        for (int k = 0; k <= i; ++k)
            C[i * N + j] += A[i * M + k] * B[k * N + j];
    }
}

__kernel void upper_times(__global const float *restrict A, __global const float *restrict B,
                          __global float *restrict C, int M, int N)
{
    int j = get_global_id(0), i = get_global_id(1);
    if (i >= M || j >= N)
        return;
    float sum = 0.0f;
    for (int k = i; k < M; k++)
        sum += A[i * M + k] * B[k * N + j];
    C[i * N + j] = sum;
}

__kernel void upper_transposed(__global const float *restrict A, __global const float *restrict B,
                               __global float *restrict C, int M, int N)
{
    int j = get_global_id(0), i = get_global_id(1);
    if (i >= M || j >= N)
        return;
    float sum = B[i * N + j];
    for (int k = i + 1; k < M; k++)
        sum += A[k * M + i] * B[k * N + j];
    C[i * N + j] = sum;
}

__kernel void right_side(__global const float *restrict A, __global const float *restrict B,
                         __global float *restrict C, int M, int N)
{
    int j = get_global_id(0), i = get_global_id(1);
    if (i >= M || j >= N)
        return;
    float sum = 0.0f;
    for (int k = 0; k <= j; k++)
        sum += B[i * N + k] * A[j * N + k];
    C[i * N + j] = sum;
}

__kernel void symmetric_times(__global const float *restrict A, __global const float *restrict B,
                              __global float *restrict C, int M, int N)
{
    int j = get_global_id(0), i = get_global_id(1);
    if (i >= M || j >= N)
        return;
    float low = 0.0f, high = 0.0f;
    for (int k = 0; k < i; k++)
        low += A[i * M + k] * B[k * N + j];
    for (int k = i; k < M; k++)
        high += A[k * M + i] * B[k * N + j];
    C[i * N + j] = low + high;
}

__kernel void band_times(__global const float *restrict A, __global const float *restrict B,
                         __global float *restrict C, int M, int N, int w)
{
    int j = get_global_id(0), i = get_global_id(1);
    if (i >= M || j >= N)
        return;
    float sum = 0.0f;
    for (int k = max(i - w, 0); k <= min(i + w, M - 1); k++)
        sum += A[i * M + k] * B[k * N + j];
    C[i * N + j] = sum;
}
