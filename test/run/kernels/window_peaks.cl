// The largest value of every window that lies in the image, and where it was found.
__kernel void window_peaks(__global const float *restrict image, __global float *restrict most,
                           __global int *restrict place, int w, int h, int size, int step, int margin, int outW,
                           int outH)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= outW || y >= outH)
        return;
    int left = x * step - margin, top = y * step - margin;
    int right = min(left + size, w), bottom = min(top + size, h);
    left = max(left, 0);
    top = max(top, 0);
    float best = -FLT_MAX;
    int at = -1;
    for (int j = top; j < bottom; j++)
        for (int i = left; i < right; i++)
            if (image[j * w + i] > best) {
                best = image[j * w + i];
                at = j * w + i;
            }
    most[y * outW + x] = best;
    place[y * outW + x] = at;
}
