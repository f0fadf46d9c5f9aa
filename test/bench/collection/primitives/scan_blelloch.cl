// Exclusive sums of 512 values by a group of 256, up and down the tree.
__kernel void prescan(__global float *g_odata, __global const float *g_idata, __local float *temp, const int n)
{
    int thid = get_local_id(0);
    int base = get_group_id(0) * n;
    int offset = 1;
    temp[2 * thid] = g_idata[base + 2 * thid];
    temp[2 * thid + 1] = g_idata[base + 2 * thid + 1];
    for (int d = n >> 1; d > 0; d >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (thid < d) {
            int ai = offset * (2 * thid + 1) - 1;
            int bi = offset * (2 * thid + 2) - 1;
            temp[bi] += temp[ai];
        }
        offset *= 2;
    }
    if (thid == 0)
        temp[n - 1] = 0;
    for (int d = 1; d < n; d *= 2) {
        offset >>= 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (thid < d) {
            int ai = offset * (2 * thid + 1) - 1;
            int bi = offset * (2 * thid + 2) - 1;
            float t = temp[ai];
            temp[ai] = temp[bi];
            temp[bi] += t;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    g_odata[base + 2 * thid] = temp[2 * thid];
    g_odata[base + 2 * thid + 1] = temp[2 * thid + 1];
}
