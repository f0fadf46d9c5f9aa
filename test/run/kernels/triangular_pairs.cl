// A triangle of pairs below each row, and an imperfect nest around it.
__kernel void triangular_pairs(__global const int *restrict a, __global int *restrict out, int n, int d)
{
    int c = get_global_id(0);
    if (c >= d)
        return;
    for (int i = 0; i < n; i++) {
        int sum = 7 * a[i * d + c];
        for (int j = 0; j < i; j++)
            sum += a[j * d + c] ^ a[i * d + c];
        out[i * d + c] = sum;
        out[i * d + c] += i;
    }
}
