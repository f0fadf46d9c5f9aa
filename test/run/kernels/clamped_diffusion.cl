// Neighbours clamped to the border instead of a guard, with the power of each cell.
__kernel void clamped_diffusion(__global const float *restrict t, __global const float *restrict power,
                                __global float *restrict next, float cx, float cy, int w, int h)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    if (x >= w || y >= h)
        return;
    int up = max(y - 1, 0), down = min(y + 1, h - 1);
    int left = max(x - 1, 0), right = min(x + 1, w - 1);
    float c = t[y * w + x];
    next[y * w + x] = c + cx * (t[y * w + left] + t[y * w + right] - 2.0f * c) +
                      cy * (t[up * w + x] + t[down * w + x] - 2.0f * c) + power[y * w + x];
}
