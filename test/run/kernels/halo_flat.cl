// Means of 3 x 3 cells: the group copies its tile and a halo by one number, clamped at the borders.
#define W 16
#define H 4
__kernel __attribute__((reqd_work_group_size(W, H, 1)))
void halo_flat(__global const float *image, __global float *mean, int width, int height)
{
    __local float tile[(W + 2) * (H + 2)];
    const int left = (int)get_group_id(0) * W - 1, top = (int)get_group_id(1) * H - 1;
    const int lx = get_local_id(0), ly = get_local_id(1);
    for (int cell = ly * W + lx; cell < (W + 2) * (H + 2); cell += W * H) {
        const int x = clamp(left + cell % (W + 2), 0, width - 1);
        const int y = clamp(top + cell / (W + 2), 0, height - 1);
        tile[cell] = image[y * width + x];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const int x = get_global_id(0), y = get_global_id(1);
    if (x >= width || y >= height)
        return;
    float sum = 0.0f;
    for (int dy = 0; dy < 3; dy++)
        for (int dx = 0; dx < 3; dx++)
            sum += tile[(ly + dy) * (W + 2) + lx + dx];
    mean[y * width + x] = sum * 0.125f;
}
