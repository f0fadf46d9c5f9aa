// Bytes that are `signed char`, which is no `char` to vloadn and vstoren.
typedef signed char int8_t;
__kernel void signed_bytes(__global const signed char *a, __global int8_t *b, __global int *o, int m, int n)
{
    int g = get_global_id(0);
    if (g >= n)
        return;
    int total = 0;
    for (int i = 0; i < m; i++)
        total += a[i * n + g] * b[g];
    o[g] = total;
    b[g] = (int8_t)(total / 8);
}
