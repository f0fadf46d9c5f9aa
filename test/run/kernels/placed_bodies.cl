// Helpers that load and store: a window in a private array, sums of rows with
// an early return, a result behind a pointer.
void window(__global const float *a, int i, int n, float *out)
{
    for (int k = 0; k < 3; k++)
        out[k] = a[clamp(i + k - 1, 0, n - 1)];
}

float rowSum(__global const float *row, int m, int from)
{
    if (from >= m)
        return -1.0f;
    float s = 0.0f;
    for (int j = from; j < m; j++)
        s += row[j];
    return s;
}

void store(__global float *to, int i, float v, float *largest)
{
    *largest = fmax(*largest, v);
    to[i] = v;
}

__kernel void placed_bodies(__global const float *a, __global const float *rows,
                            __global float *b, __global float *c, int n, int m)
{
    int i = get_global_id(0);
    if (i >= n)
        return;
    float w[3], largest = -1.0f;
    window(a, i, n, w);
    store(b, i, 0.25f * w[0] + 0.5f * w[1] + 0.25f * w[2], &largest);
    float total = rowSum(rows + i * m, m, 2) + rowSum(rows, m, 0);
    store(c, i, total, &largest);
    if (largest > 1.5f)
        store(c, i, largest, &largest);
}
