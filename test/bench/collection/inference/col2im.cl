// Sums of the columns back into an image.
__kernel void col2im(int n, __global const float *data_col, int height, int width, int ksize, int pad, int stride,
                     int height_col, int width_col, __global float *data_im)
{
    int index = get_global_id(0);
    if (index >= n)
        return;
    float val = 0;
    int w = index % width + pad;
    int h = (index / width) % height + pad;
    int c = index / (width * height);
    int w_col_start = (w < ksize) ? 0 : (w - ksize) / stride + 1;
    int w_col_end = min(w / stride + 1, width_col);
    int h_col_start = (h < ksize) ? 0 : (h - ksize) / stride + 1;
    int h_col_end = min(h / stride + 1, height_col);
    int offset = (c * ksize * ksize + h * ksize + w) * height_col * width_col;
    int coeff_h_col = (1 - stride * ksize * height_col) * width_col;
    int coeff_w_col = (1 - stride * height_col * width_col);
    for (int h_col = h_col_start; h_col < h_col_end; ++h_col)
        for (int w_col = w_col_start; w_col < w_col_end; ++w_col)
            val += data_col[offset + h_col * coeff_h_col + w_col * coeff_w_col];
    data_im[index] += val;
}
