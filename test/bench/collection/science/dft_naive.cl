// Discrete Fourier transform by definition.
__kernel void dft(__global const float *re, __global const float *im, __global float *outRe, __global float *outIm, int n)
{
    int k = get_global_id(0);
    if (k >= n)
        return;
    float sr = 0.0f, si = 0.0f;
    for (int t = 0; t < n; t++) {
        float a = 6.2831853f * (float)((t * k) % n) / (float)n;
        float c = cos(a), s = sin(a);
        sr += re[t] * c + im[t] * s;
        si += -re[t] * s + im[t] * c;
    }
    outRe[k] = sr;
    outIm[k] = si;
}
