// An offset that may be left out, and an argument that moves on after its use.
__kernel void argument_if_given(__global const float *a, __global float *b, int n, int off, int k)
{
    if (off > 0)
        a += off;
    const int i = get_global_id(0);
    float sum = 0.0f;
    if (i < n) {
        for (int r = 0; r < k; r++)
            sum += a[r * n + i];
        b[i] = sum;
    }
    b += n;
    if (i < n)
        b[i] = -sum;
}
