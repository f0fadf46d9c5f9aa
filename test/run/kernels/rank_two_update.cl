// Outer products of four vectors are added to a matrix.
__kernel void rank_two_update(__global double *restrict a, __global const double *restrict u1,
                              __global const double *restrict v1, __global const double *restrict u2,
                              __global const double *restrict v2, int w, int h)
{
    int j = get_global_id(0);
    int i = get_global_id(1);
    if (i < h && j < w)
        a[i * w + j] = a[i * w + j] + u1[i] * v1[j] + u2[i] * v2[j];
}
