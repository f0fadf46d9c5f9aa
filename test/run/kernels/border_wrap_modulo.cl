// F20. A ring; the subscripts are taken modulo its length.
__kernel void border_wrap_modulo(__global const float *a, __global float *b, int n)
{
    int x = get_global_id(0);
    if (x >= n)
        return;
    float sum = 0.0f;
    for (int i = -1; i <= 1; i++)
        sum += (i + 2) * a[(x + i + n) % n];
    b[x] = sum;
}
