// Copy, scale, add, triad.
__kernel void triad(__global float *A, __global const float *B, __global const float *C, const float s)
{
    int gid = get_global_id(0);
    A[gid] = B[gid] + s * C[gid];
}

__kernel void scale(__global double *b, __global const double *c, const double k)
{
    size_t i = get_global_id(0);
    b[i] = k * c[i];
}

__kernel void saxpy(const int n, const float a, __global const float *x, __global float *y)
{
    for (int i = get_global_id(0); i < n; i += get_global_size(0))
        y[i] += a * x[i];
}
