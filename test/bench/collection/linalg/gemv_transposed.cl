// y = A^T x: neighbours read neighbours.
__kernel void gemv_t(const uint m, const uint n, __global const float *A, __global const float *x, __global float *y)
{
    const uint j = get_global_id(0);
    if (j >= n)
        return;
    float s = 0;
    for (uint i = 0; i < m; i++)
        s += A[i * n + j] * x[i];
    y[j] = s;
}
