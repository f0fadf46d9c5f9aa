// Sums over all rows up to the own one.
__kernel void weighted_so_far(__global const float *P, __global const float *V, __global float *O, int T, int D)
{
    int d = get_global_id(0), i = get_global_id(1);
    if (d >= D || i >= T) return;
    float s = 0;
    for (int j = 0; j <= i; j++) s += P[i * T + j] * V[j * D + d];
    O[i * D + d] = s;
}
