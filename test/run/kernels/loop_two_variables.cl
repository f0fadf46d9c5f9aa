// Two induction variables run towards each other.
__kernel void loop_two_variables(__global const float *a, __global float *b, int w)
{
    int y = get_global_id(0);
    float s = 0.0f;
    for (int l = 0, r = w - 1; l < r; ++l, --r)
        s += a[y * w + l] * a[y * w + r];
    b[y] = s;
}
