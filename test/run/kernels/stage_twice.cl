// Loops one after the other that read the same cells: those of one tile are there once, and long
// loops take the same local memory in turns.
__kernel void stage_twice(__global const float *restrict p, __global const float *restrict q,
                          __global float *restrict r, int n, int m)
{
    int i = get_global_id(0);
    float total = 0, force = 0;
    for (int k = 0; k < n; k++)
        total += p[k];
    for (int l = n - 1; l >= 0; l--)
        force += p[l] / (total + 1.5f) + q[l];
    if (i < m)
        r[i] = force;
}
__kernel void stage_twice_rows(__global const float *restrict p, __global float *restrict r, int n,
                               int m)
{
    int i = get_global_id(0);
    if (i >= n)
        return;
    float total = 0, force = 0;
    for (int t = 0; t < m; t++) {
        for (int k = 0; k < 16; k++)
            total += p[t * 16 + k] * i;
        for (int l = 2; l < 18; l++)
            force += p[t * 16 + 17 - l] * total;
    }
    for (int k = 0; k < 8; k++)
        total = total * 0.5f + p[k];
    r[i] = force + total;
}
__kernel void stage_twice_table(__global const float *restrict p, __global float *restrict r, int n)
{
    int i = get_global_id(0);
    if (i >= n)
        return;
    float total = 0, force = 0;
    for (int k = 0; k < 32; k++)
        total += p[k] * i;
    for (int l = 0; l < 32; l++)
        force += p[34 - l] * total;
    r[i] = force;
}
