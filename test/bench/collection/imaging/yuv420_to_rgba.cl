// Planar YUV 4:2:0 to RGBA; four pixels share their chroma.
__kernel void yuv420p_rgba(__global const uchar *y_plane, __global const uchar *u_plane, __global const uchar *v_plane,
                           __global uchar4 *rgba, int width, int height)
{
    int px = get_global_id(0);
    int py = get_global_id(1);
    if (px >= width / 2 || py >= height / 2)
        return;
    float u = u_plane[py * (width / 2) + px] - 128.0f;
    float v = v_plane[py * (width / 2) + px] - 128.0f;
    float rv = 1.402f * v, guv = -0.344f * u - 0.714f * v, bu = 1.772f * u;
    for (int j = 0; j < 2; j++)
        for (int i = 0; i < 2; i++) {
            int idx = (2 * py + j) * width + 2 * px + i;
            float yy = y_plane[idx];
            rgba[idx] = (uchar4)(convert_uchar_sat(yy + rv), convert_uchar_sat(yy + guv), convert_uchar_sat(yy + bu), 255);
        }
}
