/* Three steps on every value, each with a buffer of its own. */
__kernel void centre(__global const float *in, __global float *out, float mean, int n)
{
    int i = get_global_id(0);
    if (i >= n)
        return;
    out[i] = in[i] - mean;
}

__kernel void square(__global const float *in, __global float *out, int count)
{
    int i = get_global_id(0);
    if (i < count)
        out[i] = in[i] * in[i];
}

__kernel void limit(__global float *x, __global const float *y, float most, int n)
{
    size_t i = get_global_id(0);
    float old = x[i];
    if (i < n) {
        float now = y[i] > most ? most : y[i];
        x[i] = old + now;
    }
}
