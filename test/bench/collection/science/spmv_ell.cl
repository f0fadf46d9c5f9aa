// ELLPACK: columns of the table are contiguous.
__kernel void spmv_ellpack(__global const float *val, __global const float *vec, __global const int *cols,
                           __global const int *rowLengths, const int dim, __global float *out)
{
    int t = get_global_id(0);
    if (t < dim) {
        float result = 0.0f;
        int max = rowLengths[t];
        for (int i = 0; i < max; i++) {
            int ind = i * dim + t;
            result += val[ind] * vec[cols[ind]];
        }
        out[t] = result;
    }
}
