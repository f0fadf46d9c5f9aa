// Input transform of F(2x2, 3x3): tiles of 4 x 4 to sixteen planes.
__kernel void winograd_input(__global const float *src, __global float *dst, const int C, const int H, const int W,
                             const int tiles_x, const int tiles_y)
{
    const int tx = get_global_id(0);
    const int ty = get_global_id(1);
    const int c = get_global_id(2);
    if (tx >= tiles_x || ty >= tiles_y || c >= C)
        return;
    float d[4][4], t[4][4];
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            int y = 2 * ty + i - 1, x = 2 * tx + j - 1;
            d[i][j] = (y >= 0 && y < H && x >= 0 && x < W) ? src[(c * H + y) * W + x] : 0.0f;
        }
    for (int j = 0; j < 4; j++) {
        t[0][j] = d[0][j] - d[2][j];
        t[1][j] = d[1][j] + d[2][j];
        t[2][j] = d[2][j] - d[1][j];
        t[3][j] = d[1][j] - d[3][j];
    }
    const int plane = C * tiles_x * tiles_y;
    const int base = (c * tiles_y + ty) * tiles_x + tx;
    for (int i = 0; i < 4; i++) {
        dst[(i * 4 + 0) * plane + base] = t[i][0] - t[i][2];
        dst[(i * 4 + 1) * plane + base] = t[i][1] + t[i][2];
        dst[(i * 4 + 2) * plane + base] = t[i][2] - t[i][1];
        dst[(i * 4 + 3) * plane + base] = t[i][1] - t[i][3];
    }
}
