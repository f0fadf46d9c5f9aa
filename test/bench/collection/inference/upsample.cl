// Nearest neighbours by a factor, one flat id.
__kernel void upsample_nearest(int n, __global const float *x, int w, int h, int c, int stride, float scale, __global float *out)
{
    int i = get_global_id(0);
    if (i >= n)
        return;
    int out_w = i % (w * stride);
    int t = i / (w * stride);
    int out_h = t % (h * stride);
    t = t / (h * stride);
    int in_w = out_w / stride;
    int in_h = out_h / stride;
    out[i] += scale * x[(t * h + in_h) * w + in_w];
}
