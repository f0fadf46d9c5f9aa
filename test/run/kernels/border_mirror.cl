// F20: nine points, mirrored at the borders with the edge repeated; sizes from 1 on.
__kernel void border_mirror(__global const int *a, __global int *b, int w, int h)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    if (x >= w || y >= h)
        return;
    int sum = 0;
    for (int j = -1; j <= 1; j++) {
        int yy = y + j;
        yy = yy < 0 ? -1 - yy : yy >= h ? 2 * h - 1 - yy : yy;
        for (int i = -1; i <= 1; i++) {
            int xx = x + i;
            xx = xx < 0 ? -1 - xx : xx >= w ? 2 * w - 1 - xx : xx;
            sum += (3 * j + i + 5) * a[yy * w + xx];
        }
    }
    b[y * w + x] = sum;
}
