// Every work-item sums a stretch of its own.
#define CHUNK 64

__kernel void reduce_chunks(__global const float *in, __global float *out, int n)
{
    int gid = get_global_id(0);
    int begin = gid * CHUNK;
    if (begin >= n)
        return;
    int end = min(begin + CHUNK, n);
    float s = 0.0f;
    for (int i = begin; i < end; i++)
        s += in[i];
    out[gid] = s;
}
