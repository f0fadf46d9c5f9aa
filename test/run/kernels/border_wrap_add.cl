// F20. A torus: what leaves at one side comes back at the other.
__kernel void border_wrap_add(__global const int *a, __global int *b, int w, int h)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    if (x >= w || y >= h)
        return;
    int alive = 0;
    for (int j = -1; j <= 1; j++) {
        int yy = y + j;
        if (yy < 0)
            yy += h;
        if (yy >= h)
            yy -= h;
        for (int i = -1; i <= 1; i++) {
            int xx = x + i;
            if (xx < 0)
                xx += w;
            if (xx >= w)
                xx -= w;
            alive += a[yy * w + xx];
        }
    }
    b[y * w + x] = alive;
}
