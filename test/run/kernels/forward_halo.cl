#define TX 16
#define TY 16
#define cmpswap(a, b) { float tt = min(a, b); b = max(a, b); a = tt; }
// 3x3 median, zero padding, linearized halo load
__kernel __attribute__((reqd_work_group_size(TX, TY, 1)))
void medfilt3(__global const float *in, __global float *out, const int w, const int h)
{
    __local float s[TY + 2][TX + 2];
    const int tid = get_local_id(1) * TX + get_local_id(0);
    const int x0 = get_group_id(0) * TX - 1;
    const int y0 = get_group_id(1) * TY - 1;
    for (int k = tid; k < (TX + 2) * (TY + 2); k += TX * TY) {
        const int i = k % (TX + 2), j = k / (TX + 2);
        const int xx = x0 + i, yy = y0 + j;
        const bool inside = xx >= 0 && xx < w && yy >= 0 && yy < h;
        s[j][i] = inside ? in[yy * w + xx] : 0.0f;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const int lx = get_local_id(0), ly = get_local_id(1);
    const int x = get_global_id(0), y = get_global_id(1);
    if (x >= w || y >= h) return;
    float v[9];
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++)
            v[j * 3 + i] = s[ly + j][lx + i];
    cmpswap(v[1], v[2]); cmpswap(v[4], v[5]); cmpswap(v[7], v[8]);
    cmpswap(v[0], v[1]); cmpswap(v[3], v[4]); cmpswap(v[6], v[7]);
    cmpswap(v[1], v[2]); cmpswap(v[4], v[5]); cmpswap(v[7], v[8]);
    cmpswap(v[0], v[3]); cmpswap(v[5], v[8]); cmpswap(v[4], v[7]);
    cmpswap(v[3], v[6]); cmpswap(v[1], v[4]); cmpswap(v[2], v[5]);
    cmpswap(v[4], v[7]); cmpswap(v[4], v[2]); cmpswap(v[6], v[4]);
    cmpswap(v[4], v[2]);
    out[y * w + x] = v[4];
}
