// Ids that are columns, rows and planes in one number.
__kernel void average_pool(int count, __global const float *in, int height, int width, int pooled_h, int pooled_w, int kernel_size, int stride, __global float *out)
{
    int index = get_global_id(0);
    if (index < count) {
        const int pw = index % pooled_w;
        const int ph = (index / pooled_w) % pooled_h;
        const int plane = index / pooled_w / pooled_h;
        __global const float *slice = in + plane * height * width;
        float sum = 0.0f;
        for (int h = 0; h < kernel_size; ++h)
            for (int w = 0; w < kernel_size; ++w)
                sum += slice[(ph * stride + h) * width + pw * stride + w];
        out[index] = sum / (float)(kernel_size * kernel_size);
    }
}
