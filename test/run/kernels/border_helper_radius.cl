// A square of 2 R + 1 with long and unsigned subscripts.
#define R 2
#define AT(v, n) ((v) < 0 ? 0 : (v) >= (n) ? (n) - 1 : (v))

__kernel void border_helper_radius(__global const float *a, __global float *b, int w, int h)
{
    long x = get_global_id(0);
    long y = get_global_id(1);
    if (x >= w || y >= h)
        return;
    float most = a[y * w + x];
    for (int j = -R; j <= R; j++)
        for (int i = -R; i <= R; i++)
            most = fmax(most, a[AT(y + j, h) * w + AT(x + i, w)]);
    b[y * w + x] = most;
}
