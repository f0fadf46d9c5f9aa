// 3 x 3 without padding, the mask written as constants of the loops; one group of channels per work-item.
#define KSIZE 3

__kernel void conv3x3(__global const float *restrict in, __global float *restrict out, __global const float *restrict w,
                      const int in_c, const int in_w, const int in_h, const int out_c)
{
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    const int oc = get_global_id(2);
    const int ow = in_w - KSIZE + 1;
    const int oh = in_h - KSIZE + 1;
    if (x >= ow || y >= oh || oc >= out_c)
        return;
    float acc = 0.f;
    for (int ic = 0; ic < in_c; ++ic) {
        __global const float *src = in + ic * in_w * in_h + y * in_w + x;
        __global const float *f = w + (oc * in_c + ic) * KSIZE * KSIZE;
        for (int ky = 0; ky < KSIZE; ++ky)
            for (int kx = 0; kx < KSIZE; ++kx)
                acc += src[ky * in_w + kx] * f[ky * KSIZE + kx];
    }
    out[(oc * oh + y) * ow + x] = acc;
}
