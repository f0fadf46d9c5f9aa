// Central differences; the subscripts are clamped by `?:`.
__kernel void border_clamp_ternary(__global const float *a, __global float *b, int w, int h)
{
    const int x = get_global_id(0), y = get_global_id(1);
    if (x < w && y < h) {
        int left = x > 0 ? x - 1 : 0;
        int right = x < w - 1 ? x + 1 : w - 1;
        int up = y == 0 ? 0 : y - 1;
        int down = y + 1 >= h ? h - 1 : y + 1;
        float dx = a[y * w + right] - a[y * w + left];
        float dy = a[down * w + x] - a[up * w + x];
        b[y * w + x] = dx * dx + dy * dy;
    }
}
