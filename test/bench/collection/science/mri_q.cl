// Q of a magnetic resonance reconstruction: sums of cosines and sines over k-space.
#define PIx2 6.2831853071795864769252867665590058f

struct kValues {
    float Kx;
    float Ky;
    float Kz;
    float PhiMag;
};

__kernel void ComputeQ(int numK, int numX, __constant struct kValues *ck, __global float *x, __global float *y,
                       __global float *z, __global float *Qr, __global float *Qi)
{
    int xIndex = get_global_id(0);
    if (xIndex >= numX)
        return;
    float sX = x[xIndex];
    float sY = y[xIndex];
    float sZ = z[xIndex];
    float sQr = Qr[xIndex];
    float sQi = Qi[xIndex];
    for (int kIndex = 0; kIndex < numK; kIndex++) {
        float expArg = PIx2 * (ck[kIndex].Kx * sX + ck[kIndex].Ky * sY + ck[kIndex].Kz * sZ);
        sQr += ck[kIndex].PhiMag * cos(expArg);
        sQi += ck[kIndex].PhiMag * sin(expArg);
    }
    Qr[xIndex] = sQr;
    Qi[xIndex] = sQi;
}
