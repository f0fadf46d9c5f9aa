// Sparse rows: a row per work-item, and a row per 32 work-items.
__kernel void spmv_csr_scalar(__global const float *val, __global const float *vec, __global const int *cols,
                              __global const int *rowDelimiters, const int dim, __global float *out)
{
    int myRow = get_global_id(0);
    if (myRow < dim) {
        float t = 0;
        int start = rowDelimiters[myRow];
        int end = rowDelimiters[myRow + 1];
        for (int j = start; j < end; j++) {
            int col = cols[j];
            t += val[j] * vec[col];
        }
        out[myRow] = t;
    }
}

__kernel void spmv_csr_vector(__global const float *val, __global const float *vec, __global const int *cols,
                              __global const int *rowDelimiters, const int dim, __global float *out)
{
    __local volatile float partialSums[128];
    int t = get_local_id(0);
    int id = t & 31;
    int myRow = get_global_id(0) / 32;
    float mySum = 0;
    if (myRow < dim)
        for (int j = rowDelimiters[myRow] + id; j < rowDelimiters[myRow + 1]; j += 32)
            mySum += val[j] * vec[cols[j]];
    partialSums[t] = mySum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = 16; s > 0; s >>= 1) {
        if (id < s)
            partialSums[t] += partialSums[t + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (id == 0 && myRow < dim)
        out[myRow] = partialSums[t];
}
