// A while loop that counts.
__kernel void counted_while(__global const float *a, __global float *b, int n, int m)
{
    int i = get_global_id(0);
    if (i >= n)
        return;
    float sum = 0.0f;
    int k = 0;
    while (k < m) {
        sum += a[k * n + i];
        k++;
    }
    b[i] = sum;
}
