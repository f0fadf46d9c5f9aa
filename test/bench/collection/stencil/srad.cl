// Speckle reducing diffusion: coefficients and update, neighbours through index arrays.
__kernel void srad1(__global const float *I, __global const int *iN, __global const int *iS, __global const int *jW,
                    __global const int *jE, __global float *dN, __global float *dS, __global float *dW,
                    __global float *dE, __global float *c, float q0sqr, int rows, int cols)
{
    int ei = get_global_id(0);
    if (ei < rows * cols) {
        int row = ei % rows;
        int col = ei / rows;
        float Jc = I[ei];
        float n = I[iN[row] + rows * col] - Jc;
        float s = I[iS[row] + rows * col] - Jc;
        float w = I[row + rows * jW[col]] - Jc;
        float e = I[row + rows * jE[col]] - Jc;
        float G2 = (n * n + s * s + w * w + e * e) / (Jc * Jc);
        float L = (n + s + w + e) / Jc;
        float num = (0.5f * G2) - ((1.0f / 16.0f) * (L * L));
        float den = 1 + (0.25f * L);
        float qsqr = num / (den * den);
        den = (qsqr - q0sqr) / (q0sqr * (1 + q0sqr));
        float cc = 1.0f / (1.0f + den);
        dN[ei] = n;
        dS[ei] = s;
        dW[ei] = w;
        dE[ei] = e;
        c[ei] = cc < 0 ? 0 : cc > 1 ? 1 : cc;
    }
}

__kernel void srad2(__global float *I, __global const int *iS, __global const int *jE, __global const float *dN,
                    __global const float *dS, __global const float *dW, __global const float *dE,
                    __global const float *c, float lambda, int rows, int cols)
{
    int ei = get_global_id(0);
    if (ei >= rows * cols)
        return;
    int row = ei % rows;
    int col = ei / rows;
    float cN = c[ei];
    float cS = c[iS[row] + rows * col];
    float cW = c[ei];
    float cE = c[row + rows * jE[col]];
    float D = cN * dN[ei] + cS * dS[ei] + cW * dW[ei] + cE * dE[ei];
    I[ei] = I[ei] + 0.25f * lambda * D;
}
