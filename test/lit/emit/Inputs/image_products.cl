// A product of rows whose result has a texel of an image added: images are read as before.
__kernel void image_products(read_only image2d_t image, sampler_t where, __global const float *m,
                             __global float *out, int n)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= n || y >= n)
        return;
    float sum = 0.0f;
    for (int k = 0; k < n; k++)
        sum += m[y * n + k] * m[k * n + x];
    out[y * n + x] = sum + read_imagef(image, where, (int2)(x - 1, y)).x;
}
