// Normalized correlation of a small template with every position.
__kernel void match_ncc(__global const uchar *img, int iw, int ih, __global const uchar *tpl, int tw, int th,
                        __global float *res, float tpl_norm)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    int rw = iw - tw + 1, rh = ih - th + 1;
    if (x < rw && y < rh) {
        int num = 0;
        int sq = 0;
        for (int j = 0; j < th; j++) {
            for (int i = 0; i < tw; i++) {
                int a = img[(y + j) * iw + x + i];
                int b = tpl[j * tw + i];
                num += a * b;
                sq += a * a;
            }
        }
        res[y * rw + x] = num / (sqrt((float)sq) * tpl_norm);
    }
}
