// F29: distances of points, where x - y is y - x with another sign, and how many coordinates are the same.
__kernel void distances_half(__global const float *restrict p, __global float *restrict d,
                             __global int *restrict same, int n, int dims)
{
    int i = get_global_id(1), j = get_global_id(0);
    float sum = 0.0f;
    int count = 0;
    for (int k = 0; k < dims; k++) {
        float x = p[i * dims + k];
        float y = p[j * dims + k];
        float difference = x - y;
        sum += difference * difference;
        count += x == y;
    }
    d[i * n + j] = sqrt(sum) + (p[i * dims] + p[j * dims]);
    same[(j + 1) * n + i] = count;
}
