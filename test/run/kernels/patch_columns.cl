// Each patch of an image becomes a column of a matrix; one index is taken apart into three.
__kernel void patch_columns(int n, __global const float *image, __global float *restrict column, int w, int h,
                            int size, int margin)
{
    const int index = get_global_id(0);
    if (index >= n)
        return;
    const int x = index % w, y = index / w % h, channel = index / w / h;
    for (int j = 0; j < size; ++j)
        for (int i = 0; i < size; ++i) {
            int fromY = y - margin + j, fromX = x - margin + i;
            column[(((channel * size + j) * size + i) * h + y) * w + x] =
                (fromY >= 0 && fromX >= 0 && fromY < h && fromX < w) ? image[(channel * h + fromY) * w + fromX] : 0;
        }
}
