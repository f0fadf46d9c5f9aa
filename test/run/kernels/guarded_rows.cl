// Rows of an image from a pitch and an offset, several for each work-item, as long as there are rows.
#define ROWS 4

__kernel void guarded_rows(__global const uchar *src, int src_step, int src_offset, __global uchar *dst, int dst_step,
                           int dst_offset, int rows, int cols)
{
    int x = get_global_id(0);
    int y = get_global_id(1) * ROWS;
    if (x < cols) {
        int from = mad24(y, src_step, mad24(x, 3, src_offset));
        int to = mad24(y, dst_step, x + dst_offset);
        for (int row = 0; row < ROWS; ++row) {
            if (y < rows) {
                __global const uchar *pixel = src + from;
                dst[to] = (uchar)((pixel[0] * 77 + pixel[1] * 151 + pixel[2] * 28) >> 8);
                ++y;
                from += src_step;
                to += dst_step;
            }
        }
    }
}
