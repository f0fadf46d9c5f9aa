// A layer of a network with everything known to the build.
#ifndef CIN
#define CIN 64
#define COUT 128
#define OUT 56
#define K 3
#endif
#define IN (OUT + K - 1)

__kernel void conv_layer(__global const float *restrict in, __global const float *restrict w, __global const float *restrict b,
                         __global float *restrict out)
{
    int x = get_global_id(0), y = get_global_id(1), co = get_global_id(2);
    if (x >= OUT || y >= OUT || co >= COUT)
        return;
    float acc = b[co];
    for (int ci = 0; ci < CIN; ci++)
        for (int ky = 0; ky < K; ky++)
            for (int kx = 0; kx < K; kx++)
                acc += in[(ci * IN + y + ky) * IN + x + kx] * w[((co * CIN + ci) * K + ky) * K + kx];
    out[(co * OUT + y) * OUT + x] = fmax(acc, 0.0f);
}
