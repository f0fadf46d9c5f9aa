// Patches as columns, with a pointer that advances by a plane.
__kernel void unrolled_patches(const int n, __global const float *im, const int height, const int width, const int ksize, const int pad, const int stride,
                     const int height_col, const int width_col, __global float *col)
{
    int index = get_global_id(0);
    for (; index < n; index += get_global_size(0)) {
        int w_out = index % width_col, h_index = index / width_col;
        int h_out = h_index % height_col, channel_in = h_index / height_col;
        int channel_out = channel_in * ksize * ksize;
        int h_in = h_out * stride - pad, w_in = w_out * stride - pad;
        __global float *cp = col + (channel_out * height_col + h_out) * width_col + w_out;
        __global const float *ip = im + (channel_in * height + h_in) * width + w_in;
        for (int i = 0; i < ksize; ++i)
            for (int j = 0; j < ksize; ++j) {
                int h = h_in + i, w = w_in + j;
                *cp = (h >= 0 && w >= 0 && h < height && w < width) ? ip[i * width + j] : 0;
                cp += height_col * width_col;
            }
    }
}
