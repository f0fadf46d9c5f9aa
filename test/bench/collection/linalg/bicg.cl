// Both products of the biconjugate gradient method.
__kernel void bicg_q(__global const float *A, __global const float *p, __global float *q, const int nx, const int ny)
{
    int i = get_global_id(0);
    if (i < nx) {
        q[i] = 0.0f;
        for (int j = 0; j < ny; j++)
            q[i] += A[i * ny + j] * p[j];
    }
}

__kernel void bicg_s(__global const float *A, __global const float *r, __global float *s, const int nx, const int ny)
{
    int j = get_global_id(0);
    if (j < ny) {
        s[j] = 0.0f;
        for (int i = 0; i < nx; i++)
            s[j] += A[i * ny + j] * r[i];
    }
}
