// Direct convolution, NCHW, stride and padding at run time.
__kernel void conv2d(__global const float *input, __global const float *weight, __global const float *bias,
                     __global float *output, int C, int H, int W, int M, int K, int stride, int pad, int OH, int OW)
{
    int ow = get_global_id(0);
    int oh = get_global_id(1);
    int m = get_global_id(2);
    if (ow >= OW || oh >= OH || m >= M)
        return;
    float sum = bias[m];
    for (int c = 0; c < C; c++)
        for (int kh = 0; kh < K; kh++)
            for (int kw = 0; kw < K; kw++) {
                int ih = oh * stride - pad + kh;
                int iw = ow * stride - pad + kw;
                if (ih >= 0 && ih < H && iw >= 0 && iw < W)
                    sum += input[(c * H + ih) * W + iw] * weight[((m * C + c) * K + kh) * K + kw];
            }
    output[(m * OH + oh) * OW + ow] = sum > 0.0f ? sum : 0.0f;
}
