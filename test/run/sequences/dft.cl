/* Power of the discrete Fourier transforms of rows, one launch for each row. */
__kernel void dft(__global const float *signal, __global float *power, int first, int n)
{
    int k = get_global_id(0);
    if (k >= n)
        return;
    float re = 0, im = 0;
    for (int t = 0; t < n; t++) {
        float angle = -6.28318530718f * ((k * t) % n) / n;
        re += signal[first + t] * cos(angle);
        im += signal[first + t] * sin(angle);
    }
    power[first + k] = re * re + im * im;
}

__kernel void scale(__global float *x, float factor, int count)
{
    int i = get_global_id(0);
    if (i < count)
        x[i] *= factor;
}
