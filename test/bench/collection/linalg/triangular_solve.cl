// Many right-hand sides, one per work-item: forward substitution.
__kernel void trsm_lower(__global const float *L, __global float *B, int n, int nrhs)
{
    int c = get_global_id(0);
    if (c < nrhs) {
        for (int i = 0; i < n; i++) {
            float v = B[i * nrhs + c];
            for (int j = 0; j < i; j++)
                v -= L[i * n + j] * B[j * nrhs + c];
            B[i * nrhs + c] = v / L[i * n + i];
        }
    }
}
