// Two whole parts of one argument, and quotients by what is narrower than int.
__kernel void whole_parts(__global const float *a, __global float *b, int n, short m, int w, float p)
{
    int x = get_global_id(0);
    int low = (int)p, high = ceil(p);
    float sum = 0.0f;
    for (int c = 0; c < n / m; c++)
        for (int k = 0; k < high; k++)
            sum += a[(c * high + k) * w + x];
    if (x < w)
        b[low * w + x] = sum;
}
