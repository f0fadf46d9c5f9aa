// Transposed convolution with stride, gathered from the input.
__kernel void deconv(__global const float *in, __global const float *w, __global float *out, int IC, int IH, int IW,
                     int OC, int OH, int OW, int K, int S, int P)
{
    int ox = get_global_id(0), oy = get_global_id(1), oc = get_global_id(2);
    if (ox >= OW || oy >= OH || oc >= OC)
        return;
    float acc = 0.0f;
    for (int ky = 0; ky < K; ky++) {
        int ty = oy + P - ky;
        if (ty < 0 || ty % S != 0)
            continue;
        int iy = ty / S;
        if (iy >= IH)
            continue;
        for (int kx = 0; kx < K; kx++) {
            int tx = ox + P - kx;
            if (tx < 0 || tx % S != 0)
                continue;
            int ix = tx / S;
            if (ix >= IW)
                continue;
            for (int ic = 0; ic < IC; ic++)
                acc += in[(ic * IH + iy) * IW + ix] * w[((ic * OC + oc) * K + ky) * K + kx];
        }
    }
    out[(oc * OH + oy) * OW + ox] = acc;
}
