// Variables that hold an id at first and count loops later.
__kernel void id_counts_columns(__global const float *in, __global float *out, int n)
{
    int i = get_global_id(0);
    const int g = i;
    if (g >= n) return;
    float s = 0;
    for (i = 0; i < n; i++)
        s += in[i * n + g];
    out[g] = s;
}
__kernel void id_counts_rows(__global const float *in, __global float *out, int n)
{
    int i = get_global_id(0), g = get_global_id(0);
    if (g >= n) return;
    for (i = 0; i < n; i++)
        out[i * n + g] = in[g * n + i] * 2;
}
__kernel void id_counts_twice(__global const float *in, __global float *out, int n)
{
    int y = get_global_id(1), x = get_global_id(0);
    const int base = y * n + x;
    if (x >= n || y >= n) return;
    float m = in[base];
    for (y = 0; y < n; y++)
        m = fmax(m, in[y * n + x]);
    for (x = n - 1; x >= 0; x--)
        m = fmin(m, in[base - base % n + x]);
    out[base] = m;
}
__kernel void id_counts_local(__global const float *in, __global float *out, __local float *row, int n)
{
    int t = get_local_id(0);
    const int me = get_global_id(0);
    row[t] = in[me];
    barrier(CLK_LOCAL_MEM_FENCE);
    float s = 0;
    for (t = 0; t < (int)get_local_size(0); t++)
        s += row[t] * in[t];
    out[me] = s;
}
