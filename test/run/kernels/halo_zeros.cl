// A filter of seven taps: the first and the last items of a group copy the halo, zeros lie behind the ends.
#define R 3
#define G 32
__kernel __attribute__((reqd_work_group_size(G, 1, 1)))
void halo_zeros(__global const float *signal, __constant float *taps, __global float *out, int n)
{
    __local float tile[G + 2 * R];
    const int g = get_global_id(0), l = get_local_id(0);
    tile[R + l] = g < n ? signal[g] : 0.0f;
    if (l < R)
        tile[l] = g - R >= 0 && g - R < n ? signal[g - R] : 0.0f;
    if (l >= G - R)
        tile[l + 2 * R] = g + R < n ? signal[g + R] : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (g >= n)
        return;
    float sum = 0.0f;
    for (int k = 0; k <= 2 * R; k++)
        sum += taps[k] * tile[l + k];
    out[g] = sum;
}
