// Terms beyond the border are left out.
__kernel void border_guarded_terms(__global const float *a, __global float *b, int w, int h)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    if (x >= w || y >= h)
        return;
    float sum = a[y * w + x];
    for (int i = 1; i <= 2; i++) {
        if (x >= i)
            sum += a[y * w + x - i];
        if (x + i < w)
            sum += a[y * w + x + i];
        if (y >= i)
            sum += a[(y - i) * w + x];
        if (y + i < h)
            sum += a[(y + i) * w + x];
    }
    b[y * w + x] = sum;
}
