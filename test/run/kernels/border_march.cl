// Columns of a volume, plane by plane; the offset advances by a product.
__kernel void border_march(__global const float *a, __global float *b, int w, int h, int d)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    if (x >= w || y >= h)
        return;
    int c = x + y * w;
    int plane = w * h;
    int west = x == 0 ? c : c - 1;
    int east = x == w - 1 ? c : c + 1;
    int north = y == 0 ? c : c - w;
    int south = y == h - 1 ? c : c + w;
    float below, here = a[c], above = a[c];
    for (int z = 0; z < d - 1; z++) {
        below = here;
        here = above;
        above = a[c + plane];
        b[c] = here + 0.5f * a[west] + 0.25f * a[east] + 0.125f * a[north] +
               0.0625f * a[south] + below - above;
        c += plane;
        west += plane;
        east += plane;
        north += plane;
        south += plane;
    }
    b[c] = above + 0.5f * a[west] + 0.25f * a[east];
}
