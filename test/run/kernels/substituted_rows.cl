// Forward substitution for many right sides: results are read again in later rows.
__kernel void substituted_rows(__global const float *restrict L, __global float *restrict x, __global const float *restrict b, int n, int nrhs)
{
    int c = get_global_id(0);
    if (c >= nrhs) return;
    for (int i = 0; i < n; i++) {
        float s = b[i * nrhs + c];
        for (int j = 0; j < i; j++) s -= L[i * n + j] * x[j * nrhs + c];
        x[i * nrhs + c] = s / L[i * n + i];
    }
}
