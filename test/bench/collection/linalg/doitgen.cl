// sum[r][q][p] = sum over s of A[r][q][s] C4[s][p].
__kernel void doitgen(__global const float *A, __global const float *C4, __global float *sum, int nr, int nq, int np)
{
    int p = get_global_id(0);
    int q = get_global_id(1);
    int r = get_global_id(2);
    if (p >= np || q >= nq || r >= nr)
        return;
    float acc = 0.0f;
    for (int s = 0; s < np; s++)
        acc += A[(r * nq + q) * np + s] * C4[s * np + p];
    sum[(r * nq + q) * np + p] = acc;
}
