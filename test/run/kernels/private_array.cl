// A private array that is filled, permuted and written.
__kernel void private_array(__global const float *a, __global float *b, int n)
{
    int i = get_global_id(0);
    float t[4];
    for (int k = 0; k < 4; k++)
        t[k] = a[4 * i + k];
    for (int k = 0; k < 2; k++) {
        float swap = t[k];
        t[k] = t[3 - k];
        t[3 - k] = swap;
    }
    for (int k = 0; k < 4; k++)
        b[k * n + i] = t[k];
}
