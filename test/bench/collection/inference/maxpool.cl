// Maxima of windows with one flat id, and their places.
__kernel void forward_maxpool(int n, int in_h, int in_w, int in_c, int stride, int size, int pad, int h, int w,
                              __global const float *input, __global float *output, __global int *indexes)
{
    int id = get_global_id(0);
    if (id >= n)
        return;
    int j = id % w;
    id /= w;
    int i = id % h;
    id /= h;
    int k = id % in_c;
    id /= in_c;
    int b = id;
    int w_offset = -pad / 2;
    int h_offset = -pad / 2;
    int out_index = j + w * (i + h * (k + in_c * b));
    float max = -INFINITY;
    int max_i = -1;
    for (int l = 0; l < size; ++l)
        for (int m = 0; m < size; ++m) {
            int cur_h = h_offset + i * stride + l;
            int cur_w = w_offset + j * stride + m;
            int index = cur_w + in_w * (cur_h + in_h * (k + b * in_c));
            int valid = (cur_h >= 0 && cur_h < in_h && cur_w >= 0 && cur_w < in_w);
            float val = (valid != 0) ? input[index] : -INFINITY;
            max_i = (val > max) ? index : max_i;
            max = (val > max) ? val : max;
        }
    output[out_index] = max;
    indexes[out_index] = max_i;
}
