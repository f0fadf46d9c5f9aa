#define N 64
// one tile for two arrays, one after the other
__kernel void two_phases(__global const float *a, __global const float *b, __global float *c, int chunks)
{
    __local float t[N];
    int l = get_local_id(0);
    int g = get_group_id(0) * N;
    float s = 0;
    t[l] = a[g + l];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < N; k++)
        s += t[k] * (k + 1);
    barrier(CLK_LOCAL_MEM_FENCE);
    t[l] = b[g + l];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < N; k++)
        s -= t[N - 1 - k] * (float)(l ^ k);
    c[g + l] = s;
}

// rotated tile, neighbours within the group
__kernel void ring(__global const float *x, __global float *y, const float w)
{
    __local float t[N];
    const int l = get_local_id(0), i = get_global_id(0);
    t[(l + 1) % N] = x[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    const float left = t[l], own = t[(l + 1) % N], right = t[(l + 2) % N];
    y[i] = own + w * (left - 2.0f * own + right);
}

// own cell only: no barrier at all
__kernel void own_cell(__global const float *x, __global float *y, __local float *t, int n)
{
    int l = get_local_id(0), i = get_global_id(0);
    if (i < n) {
        t[l] = x[i];
        float v = 0;
        for (int k = 0; k < 8; k++)
            v = v * 0.5f + t[l];
        y[i] = v;
    }
}

// read in the same phase by the writer, then by all
__kernel void own_then_all(__global const float *x, __global float *y)
{
    __local float t[N];
    int l = get_local_id(0), i = get_global_id(0);
    float v = x[i];
    t[l] = v;
    float own = t[l] * 2.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    float m = own;
    for (int k = 0; k < N; k++)
        m = fmax(m, t[k]);
    y[i] = m;
}
