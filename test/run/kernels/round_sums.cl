// Sums, extremes and products over every n-th element, per work-item.
__kernel void round_sums(__global const float *a, __global const int *c, __global float *b, __global int *d, uint n)
{
    float sum = 0.0f, most = -1000.0f;
    int least = 1000, all = 0;
    for (uint i = get_global_id(0); i < n; i += get_global_size(0)) {
        const float v = a[i];
        sum += v * v;
        most = fmax(most, v);
        least = min(least, c[i]);
        all += c[i] & 7;
    }
    b[2 * get_global_id(0)] = sum;
    b[2 * get_global_id(0) + 1] = most;
    d[2 * get_global_id(0)] = least;
    d[2 * get_global_id(0) + 1] = all;
}
