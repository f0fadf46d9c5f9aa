// Best disparity by sums of absolute differences.
#define RADIUS 2

__kernel void stereo_sad(__global const uchar *left, __global const uchar *right, __global uchar *disp, int w, int h,
                         int max_disp)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    if (x < RADIUS + max_disp || x >= w - RADIUS || y < RADIUS || y >= h - RADIUS)
        return;
    int best = 1 << 30;
    int best_d = 0;
    for (int d = 0; d < max_disp; d++) {
        int sad = 0;
        for (int j = -RADIUS; j <= RADIUS; j++)
            for (int i = -RADIUS; i <= RADIUS; i++)
                sad += abs((int)left[(y + j) * w + x + i] - (int)right[(y + j) * w + x + i - d]);
        if (sad < best) {
            best = sad;
            best_d = d;
        }
    }
    disp[y * w + x] = best_d;
}
