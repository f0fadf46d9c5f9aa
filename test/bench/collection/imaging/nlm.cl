// Non-local means: patches of 3 x 3 in a window of 7 x 7, mirrored borders.
#define PATCH 1
#define WINDOW 3

inline int mirror(int v, int n) { return v < 0 ? -v : v >= n ? 2 * n - 2 - v : v; }

__kernel void nlm(__global const float *src, __global float *dst, int w, int h, float inv_h2)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    if (x >= w || y >= h)
        return;
    float acc = 0.0f;
    float norm = 0.0f;
    for (int wy = -WINDOW; wy <= WINDOW; wy++)
        for (int wx = -WINDOW; wx <= WINDOW; wx++) {
            float dist = 0.0f;
            for (int py = -PATCH; py <= PATCH; py++)
                for (int px = -PATCH; px <= PATCH; px++) {
                    float a = src[mirror(y + py, h) * w + mirror(x + px, w)];
                    float b = src[mirror(y + wy + py, h) * w + mirror(x + wx + px, w)];
                    dist += (a - b) * (a - b);
                }
            float weight = exp(-dist * inv_h2);
            acc += weight * src[mirror(y + wy, h) * w + mirror(x + wx, w)];
            norm += weight;
        }
    dst[y * w + x] = acc / norm;
}
