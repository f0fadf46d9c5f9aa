// The loop counts down, and the order of the sum matters.
__kernel void loop_downward(__global const float *a, __global float *b, int w, int h)
{
    int y = get_global_id(0);
    if (y >= h)
        return;
    float s = 0.0f;
    for (int x = w - 1; x >= 0; x--) {
        s = 0.5f * s + a[y * w + x];
        b[y * w + x] = s;
    }
}
