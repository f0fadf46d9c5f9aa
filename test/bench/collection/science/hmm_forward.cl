// A step of the forward algorithm: every state sums over the states before it.
__kernel void hmm_forward(__global const float *alpha, __global const float *trans, __global const float *emit,
                          __global float *next, int nstates, int nsym, int obs, int nseq)
{
    int s = get_global_id(0);
    int q = get_global_id(1);
    if (s >= nstates || q >= nseq)
        return;
    float sum = 0.0f;
    for (int k = 0; k < nstates; k++)
        sum += alpha[q * nstates + k] * trans[k * nstates + s];
    next[q * nstates + s] = sum * emit[s * nsym + obs];
}
