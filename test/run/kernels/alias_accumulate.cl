// The accumulator lies among the elements that are added.
__kernel void alias_accumulate(__global const float *a, __global float *s, int w)
{
    int y = get_global_id(0);
    for (int x = 0; x < w; x++)
        s[y * w] = s[y * w] * 0.5f + a[y * w + x];
}
