// Softmax of rows: a row per group, two reductions in local memory.
#define GS 128

__kernel void softmax_group(__global const float *src, __global float *dst, const int ncols, const float scale)
{
    __local float buf[GS];
    const int row = get_group_id(0);
    const int tid = get_local_id(0);
    float m = -INFINITY;
    for (int i = tid; i < ncols; i += GS)
        m = fmax(m, src[row * ncols + i] * scale);
    buf[tid] = m;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = GS / 2; s > 0; s >>= 1) {
        if (tid < s)
            buf[tid] = fmax(buf[tid], buf[tid + s]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    m = buf[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0.0f;
    for (int i = tid; i < ncols; i += GS) {
        float v = exp(src[row * ncols + i] * scale - m);
        dst[row * ncols + i] = v;
        sum += v;
    }
    buf[tid] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = GS / 2; s > 0; s >>= 1) {
        if (tid < s)
            buf[tid] += buf[tid + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    const float inv = 1.0f / buf[0];
    for (int i = tid; i < ncols; i += GS)
        dst[row * ncols + i] *= inv;
}
