// A filter with as many taps as the host says, turned around, over long integers.
__kernel void conv1d_taps(__global const long *restrict signal, __global const int *restrict tap,
                          __global long *restrict out, int n, int taps)
{
    int i = get_global_id(0);
    if (i < n) {
        long sum = 0;
        for (int t = 0; t < taps; t++)
            sum += signal[i + taps - 1 - t] * tap[t];
        out[i] = sum;
    }
}
