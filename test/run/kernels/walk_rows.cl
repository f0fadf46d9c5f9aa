// Every work-item walks over its row, up, down, and from both sides.
__kernel void walk_rows(__global const float *a, __global float *sums, int w, int h)
{
    int y = get_global_id(0);
    if (y >= h)
        return;
    int first = y * w, last = y * w + w - 1;
    float s = 0.0f;
    for (int p = first; p <= last; ++p)
        s += a[p];
    for (int p = last; p >= first; p -= 3)
        s = s * 0.5f + a[p];
    int l = first, r = last;
    while (l < r) {
        s += a[l] * a[r];
        ++l;
        --r;
    }
    sums[y] = s + (float)(l - first);
}
