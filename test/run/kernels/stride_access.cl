// Interleaved data: stride two read, stride three written.
__kernel void stride_access(__global const float *a, __global float *b, int n)
{
    int i = get_global_id(0);
    if (i >= n)
        return;
    float re = a[2 * i];
    float im = a[2 * i + 1];
    b[3 * i] = re * re - im * im;
    b[3 * i + 1] = 2.0f * re * im;
    b[3 * i + 2] = re;
}
