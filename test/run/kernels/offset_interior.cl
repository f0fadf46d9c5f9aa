// The host leaves out the border by an offset of the NDRange; groups of all shapes.
__kernel void offset_interior(__global const float *restrict a, __global float *restrict b, int w, int h)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    if (x < w - 1 && y < h - 1)
        b[y * w + x] = a[y * w + x] - 0.25f * (a[y * w + x - 1] + a[(y - 1) * w + x] +
                                              a[y * w + x + 1] + a[(y + 1) * w + x]);
}
