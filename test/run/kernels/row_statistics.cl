// Three walks over a row: mean, deviation, and the row made standard.
__kernel void row_statistics(__global float *restrict a, __global float *restrict mean, __global float *restrict dev,
                             int w, int h)
{
    int y = get_global_id(0);
    if (y < h) {
        float sum = 0.0f;
        for (int x = 0; x < w; x++)
            sum += a[y * w + x];
        mean[y] = sum / w;
        float square = 0.0f;
        for (int x = 0; x < w; x++) {
            float d = a[y * w + x] - sum / w;
            square += d * d;
        }
        dev[y] = sqrt(square / w) + 0.125f;
        for (int x = 0; x < w; x++)
            a[y * w + x] = (a[y * w + x] - sum / w) * 0.5f;
    }
}
