// Guards that cut the domain askew: a window given by the host, and one side of a diagonal.
__kernel void guard_diagonal(__global const float *restrict a, __global float *restrict b, int w, int h, int x0, int x1)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    if (x < w && y < h && x >= x0 && x < x1) {
        if (x + y < w)
            b[y * w + x] = a[y * w + x] + a[y * w + w - 1 - x];
        else if (2 * y < h)
            b[y * w + x] = 2.0f * a[(h - 1 - y) * w + x];
    }
}
