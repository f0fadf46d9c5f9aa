// A blur of five points: the tile of a group with its borders, loaded by the items at them.
#define G 8
__kernel __attribute__((reqd_work_group_size(G, G, 1)))
void local_stencil(__global const float *in, __global float *out, int w, int h)
{
    __local float tile[G + 2][G + 2];
    int lx = get_local_id(0), ly = get_local_id(1);
    int x = get_group_id(0) * G + lx, y = get_group_id(1) * G + ly;
    int cx = min(x, w - 1), cy = min(y, h - 1);
    tile[ly + 1][lx + 1] = in[cy * w + cx];
    if (lx == 0)
        tile[ly + 1][0] = in[cy * w + max(cx - 1, 0)];
    if (lx == G - 1)
        tile[ly + 1][G + 1] = in[cy * w + min(x + 1, w - 1)];
    if (ly == 0)
        tile[0][lx + 1] = in[max(cy - 1, 0) * w + cx];
    if (ly == G - 1)
        tile[G + 1][lx + 1] = in[min(y + 1, h - 1) * w + cx];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (x < w && y < h) {
        float sum = tile[ly + 1][lx + 1];
        for (int d = 0; d <= 2; d += 2)
            sum += tile[ly + d][lx + 1] + tile[ly + 1][lx + d];
        out[y * w + x] = sum * 0.2f;
    }
}
