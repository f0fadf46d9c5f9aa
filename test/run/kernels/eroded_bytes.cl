// The least byte of a window, from a tile with a margin that the group has loaded.
#define TW 16
#define R 2
__kernel __attribute__((reqd_work_group_size(TW, TW, 1)))
void eroded_bytes(__global const uchar *src, __global uchar *dst, int w, int h)
{
    __local uchar tile[TW + 2 * R][TW + 2 * R + 1];
    int lx = get_local_id(0), ly = get_local_id(1);
    int bx = get_group_id(0) * TW - R, by = get_group_id(1) * TW - R;
    for (int j = ly; j < TW + 2 * R; j += TW)
        for (int i = lx; i < TW + 2 * R; i += TW) {
            int sx = bx + i, sy = by + j;
            tile[j][i] = (sx >= 0 && sx < w && sy >= 0 && sy < h) ? src[sy * w + sx] : 255;
        }
    barrier(CLK_LOCAL_MEM_FENCE);
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= w || y >= h) return;
    uchar m = 255;
    for (int j = 0; j <= 2 * R; ++j)
        for (int i = 0; i <= 2 * R; ++i)
            m = min(m, tile[ly + j][lx + i]);
    dst[y * w + x] = m;
}
