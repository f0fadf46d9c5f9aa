// Direct convolution, NHWC, output channels contiguous.
__kernel void conv_nhwc(__global const float *src, __global const float *filter, __global float *dst, const int4 shape,
                        const int ksize, const int out_c)
{
    /* shape: batch, height, width, channels */
    const int oc = get_global_id(0);
    const int ow = get_global_id(1);
    const int oh = get_global_id(2);
    const int H = shape.y, W = shape.z, C = shape.w;
    const int pad = ksize / 2;
    if (oc >= out_c || ow >= W || oh >= H)
        return;
    float acc = 0.0f;
    for (int ky = 0; ky < ksize; ky++) {
        int iy = oh + ky - pad;
        if (iy < 0 || iy >= H)
            continue;
        for (int kx = 0; kx < ksize; kx++) {
            int ix = ow + kx - pad;
            if (ix < 0 || ix >= W)
                continue;
            for (int c = 0; c < C; c++)
                acc += src[(iy * W + ix) * C + c] * filter[((ky * ksize + kx) * C + c) * out_c + oc];
        }
    }
    dst[(oh * W + ow) * out_c + oc] = acc;
}
