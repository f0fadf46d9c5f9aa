// Digits that are taken off the id one by one.
__kernel void enlarge(int w, int h, int c, int batch, int stride, float scale, __global const float *x, __global float *out)
{
    size_t size = w * h * c * batch * stride * stride;
    int i = get_global_id(0);
    if (i >= size)
        return;
    int out_index = i;
    int out_w = i % (w * stride);
    i = i / (w * stride);
    int out_h = i % (h * stride);
    i = i / (h * stride);
    int in_w = out_w / stride;
    int in_h = out_h / stride;
    int in_index = i * w * h + in_h * w + in_w;
    out[out_index] = scale * x[in_index];
}
// Rows and columns, the columns by a difference; no more work-items than cells.
__kernel void smooth(__global const float *a, __global float *b, const uint w)
{
    const size_t i = get_global_id(0);
    const uint y = i / (w - 2), x = i - y * (w - 2);
    float s = 0.0f;
    for (uint dy = 0; dy < 3; dy++)
        for (uint dx = 0; dx < 3; dx++)
            s += a[(y + dy) * w + x + dx];
    b[y * w + x] = s / 9.0f;
}
// The slowest digit first.
__kernel void planes(__global const float *a, __global float *b, int w, int h, int n, float f)
{
    int id = get_global_id(0);
    int z = id / (w * h);
    int rest = id % (w * h);
    int y = rest / w;
    int x = rest % w;
    if (z >= n || x < 1 || y < 1 || x > w - 2)
        return;
    b[id] = f * (a[(z * h + y) * w + x - 1] + a[(z * h + y) * w + x + 1] - a[(z * h + y - 1) * w + x]);
}
