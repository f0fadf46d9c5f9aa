// Columns in steps of the row's length: the loops end where a row of the matrix would begin that
// it does not have.
__kernel void walk_columns(__global const float *a, __global float *b, __global float *c, int w,
                           int h)
{
    int x = get_global_id(0);
    if (x >= w)
        return;
    float most = a[x];
    for (int p = x + w; p < w * h; p += w)
        most = fmax(most, a[p]);
    float sum = 0.0f;
    for (uint p = x; p < (uint)(w * h); p += w) {
        b[p] = exp(a[p] - most);
        sum += b[p];
    }
    for (int p = x + w * h - w; p >= 0; p -= w)
        b[p] /= sum;
    __global const float *q = a + x;
    int rows = 0;
    while (rows * w < w * h) {
        sum -= *q;
        q += w;
        rows++;
    }
    c[x] = sum;
}
