// Integer arguments that the kernel changes before it uses them.
__kernel void counts_changed(__global const float *restrict a, __global float *restrict b, int n,
                             int row, int off, int w)
{
    n -= 1;
    row = row + off;
    w *= 2;
    const int i = get_global_id(0);
    if (i < n) {
        float sum = 0.0f;
        for (int k = 0; k < w; k++)
            sum += a[k * n + i];
        b[row * n + i] = sum;
    }
}
