// Loops near the ends of int: what is added to an iterator must not leave its type, also
// where no iteration runs.
__kernel void int_ends(__global float *restrict s, const __global float *restrict a,
                       int first, int last) {
    int x = get_global_id(0);
    float up = 0.0f, down = 0.0f;
    for (int k = first; k < last; k++)
        up = 0.5f * up + a[k - first];
    for (int m = last; m > first; m--)
        down = 0.5f * down + a[last - m];
    for (int j = first; j < last; j += 3)
        s[x * 512 + 2 + j - first] = up + a[j - first];
    s[x * 512] = up;
    s[x * 512 + 1] = down;
}
