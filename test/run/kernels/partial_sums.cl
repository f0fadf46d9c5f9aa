// Values that all iterations of a loop add to. The data are small whole numbers: the sums of
// floats are exact in any order.
__kernel void partial_sums(__global const short *restrict rows, __global const int *restrict weights,
                           __global float *restrict dot, __global int *restrict ints, __global uint *bits,
                           __global double *restrict moments, int width) {
    int i = get_global_id(0);
    float sum = 1.0f, low = 1000.0f, high = -1000.0f;
    for (int k = 0; k < width; k++) {
        float x = (float)rows[i * width + k];
        sum += x * weights[k];
        low = fmin(low, x);
        high = max(x, high);
    }
    dot[i] = sum + 0.25f * low + 0.5f * high;

    int total = 0;
    short narrow = 3;
    long steps = i;
    for (int k = width - 1; k >= 0; k--) {
        total -= rows[i * width + k] * weights[k];
        narrow += rows[i * width + k];
        steps = (long)weights[k] + steps;
    }
    ints[i] = total + narrow + (int)steps;

    uint common = ~0u;
    bits[i] = 1;
    for (int k = 0; k < width; k += 2) {
        bits[i] ^= (uint)weights[k] << (k & 7);
        common &= (uint)(rows[i * width + k] | 3);
    }
    bits[i] += common;

    double square = 0;
    for (int k = i % 3; k < width; k++)
        square = fma((double)rows[i * width + k], (double)weights[k], square);
    moments[i] = square;
}
