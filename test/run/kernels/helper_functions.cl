// Small pure helpers, one with two returns and one with a pointer result.
float weight(float x, float y)
{
    return 0.7f * x + 0.3f * y;
}

int clampIndex(int i, int n)
{
    if (i < 0)
        return 0;
    return i >= n ? n - 1 : i;
}

void split(float v, float *whole, float *part)
{
    *whole = floor(v);
    *part = v - *whole;
}

__kernel void helper_functions(__global const float *a, __global float *b,
                               __global float *c, int n)
{
    int i = get_global_id(0);
    if (i >= n)
        return;
    float whole, part;
    split(10.0f * a[i], &whole, &part);
    b[i] = weight(a[clampIndex(i - 1, n)], a[clampIndex(i + 1, n)]);
    c[i] = whole + 2.0f * part;
}
