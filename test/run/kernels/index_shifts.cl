// Index arithmetic by powers of two: blocked cells, bits of an id, negative operands that no shift may take.
__kernel void index_shifts(__global const int *a, __global const int *p, __global int *b, int n)
{
    int i = get_global_id(0);
    int sum = 0;
    for (int k = 0; k < 5; k++)
        sum += a[i / (1 << k) + i % (1 << k)] * (k + 1);
    int c = p[i];
    sum += a[c / 8 + 16] + a[(c & 15) * 3 + 1];
    if (c >= 0)
        sum += a[c / 8] * 5 + a[c % 4];
    b[i] = sum + a[(i / 4) * 4 + 3 - i % 4];
}
