// Pointers that walk through a window and skip the rest of each row, a counter of taps, a helper that clamps.
float at_border(__global const float *p, int x, int n)
{
    if (x < 0)
        x = 0;
    else if (x >= n)
        x = n - 1;
    return p[x];
}

__kernel void skipping_pointers(__global const float *in, __constant float *taps, __global float *out,
                                __global float *edge, int w, int h, int r)
{
    int x = get_global_id(0), y = get_global_id(1);
    float sorted[9];
    int count = 0;
    for (int j = -1; j <= 1; j++)
        for (int i = -1; i <= 1; i++)
            sorted[count++] = at_border(in + y * w, x + i, w) * (j + 2);
    edge[y * w + x] = sorted[0] + sorted[4] - sorted[count - 1];
    if (x + r > w || y + r > h)
        return;
    __global const float *p = in + y * w + x;
    __constant float *t = taps;
    float sum = 0.0f;
    for (int j = 0; j < r; j++) {
        for (int i = 0; i < r; i++)
            sum += *p++ * *t++;
        p += w - r;
    }
    out[y * w + x] = sum;
}
