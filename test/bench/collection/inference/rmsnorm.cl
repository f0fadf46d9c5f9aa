// Root mean square of rows by a group each.
__kernel void rms_norm(__global const float *x, __global const float *w, __global float *o, int ne, float eps,
                       __local float *sum)
{
    int row = get_group_id(0);
    int tid = get_local_id(0);
    int nth = get_local_size(0);
    x += row * ne;
    o += row * ne;
    float s = 0.0f;
    for (int i = tid; i < ne; i += nth)
        s += x[i] * x[i];
    sum[tid] = s;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = nth / 2; i > 0; i /= 2) {
        if (tid < i)
            sum[tid] += sum[tid + i];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    float scale = 1.0f / sqrt(sum[0] / ne + eps);
    for (int i = tid; i < ne; i += nth)
        o[i] = x[i] * scale * w[i];
}
