// Two loops that the launch goes through, rows and columns.
__kernel void grid_stride_plane(__global const float *restrict a, __global float *restrict b, int w,
                                int h)
{
    for (int y = get_global_id(1); y < h; y += get_global_size(1)) {
        const int row = y * w;
        for (int x = get_global_id(0); x < w - 1; x += get_global_size(0))
            b[row + x] = a[row + x] + a[row + x + 1];
    }
}
