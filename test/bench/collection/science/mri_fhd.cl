// F^H d: magnitudes of the samples, then sums for every voxel, sample arrays in global memory.
__kernel void rho_phi(int numK, __global const float *phiR, __global const float *phiI, __global const float *dR,
                      __global const float *dI, __global float *rR, __global float *rI)
{
    int k = get_global_id(0);
    if (k < numK) {
        rR[k] = phiR[k] * dR[k] + phiI[k] * dI[k];
        rI[k] = phiR[k] * dI[k] - phiI[k] * dR[k];
    }
}

__kernel void fhd(int numK, int numX, __global const float *kx, __global const float *ky, __global const float *kz,
                  __global const float *rR, __global const float *rI, __global const float *x, __global const float *y,
                  __global const float *z, __global float *outR, __global float *outI)
{
    int n = get_global_id(0);
    if (n >= numX)
        return;
    float ar = 0.0f, ai = 0.0f;
    for (int k = 0; k < numK; k++) {
        float arg = 6.2831853f * (kx[k] * x[n] + ky[k] * y[n] + kz[k] * z[n]);
        float c = native_cos(arg), s = native_sin(arg);
        ar += rR[k] * c - rI[k] * s;
        ai += rI[k] * c + rR[k] * s;
    }
    outR[n] = ar;
    outI[n] = ai;
}
