// Walks along columns: subscripts that move by an argument in each iteration, down, up, in two nested loops, and in
// steps of three.
__kernel void advance_columns(__global const float *a, __global float *b, __global const uchar *bytes, int w, int h, uint pitch)
{
    int x = get_global_id(0);
    if (x >= w)
        return;
    float sum = 0.0f;
    for (int y = 0; y < h; y++) {
        sum += a[y * w + x] - 0.5f * a[y * w + x + 1];
        b[x + y * w] = sum + bytes[y * pitch + x];
    }
    for (int y = h - 2; y > 0; y -= 3)
        b[y * w + x] += a[(y + 1) * w] * a[(y - 1) * w + x];
    for (int p = 0; p < 3; p++)
        for (int q = p; q < h; q++)
            b[q * w + x] += bytes[q * pitch + p];
}
