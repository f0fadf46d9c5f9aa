// Loops in steps of a group that write local memory, or what nobody else is, and read structs.
struct block { short d; uchar qs[16]; };

void two(__global const struct block *x, const int ib, const int iqs, float *v0, float *v1)
{
    const float d = x[ib].d * 0.25f;
    const uchar q = x[ib].qs[iqs];
    *v0 = ((q & 15) - 8) * d;
    *v1 = ((q >> 4) - 8) * d;
}

__kernel void sum_pairs(__global const float *in, __global float *out, __local float *part, const unsigned int n)
{
    const unsigned int tid = get_local_id(0);
    unsigned int i = get_group_id(0) * (get_local_size(0) * 2) + tid;
    const unsigned int all = get_local_size(0) * 2 * get_num_groups(0);
    const unsigned int half_way = get_local_size(0);
    part[tid] = 0;
    while (i < n) {
        part[tid] += in[i] + in[i + half_way];
        i += all;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (tid == 0) {
        float s = 0;
        for (unsigned int t = 0; t < half_way; t++)
            s += part[t];
        out[get_group_id(0)] = s;
    }
}

__kernel void block_rows(__global const struct block *x, __global const float *y, __global float *dst, const int cols)
{
    __local float part[64];
    const int row = get_group_id(0), tid = get_local_id(0), size = get_local_size(0);
    part[tid] = 0;
    for (int col = tid * 2; col < cols; col += 2 * size) {
        const uint ib = (row * cols + col) / 32u;
        const uint iqs = (col % 32u) / 2u;
        const uint start = col - col % 32u;
        float v0, v1;
        two(x, ib, iqs, &v0, &v1);
        part[tid] += v0 * y[start + iqs];
        part[tid] += v1 * y[start + iqs + 16];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (tid == 0) {
        float s = 0;
        for (int t = 0; t < size; t++)
            s += part[t];
        dst[row] = s;
    }
}

__kernel void scale_apart(__global const float *restrict x, __global float *restrict y, const int n, const float f)
{
    __global const float *row = x + get_group_id(0) * n;
    for (int i = get_local_id(0); i < n; i += get_local_size(0))
        y[get_group_id(0) * n + i] = x[get_group_id(0) * n + i] * f;
}

__kernel void scale_rows(__global const float *x, __global float *y, const int n, const float f)
{
    __global const float *from = x + get_group_id(0) * n;
    __global float *to = y + get_group_id(0) * n;
    for (int i = get_local_id(0); i < n; i += get_local_size(0))
        to[i] = from[i] * f;
}

__kernel void scatter(__global const int *restrict at, __global const float *restrict x, __global float *restrict y,
                      const int n)
{
    for (uint i = get_global_id(0); i < (uint)n; i += get_global_size(0)) {
        const int place = at[i];
        y[place] = x[place] * 2.0f + i;
    }
}

__kernel void own_cells(__global int *x, const int n)
{
    for (int i = get_global_id(0); i < n; i += get_global_size(0))
        x[i + n] = x[i] * 3;
}
