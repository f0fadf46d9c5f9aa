// Dot product: sums of groups, then the sum of those. Any n fits any number of groups.

// NDRange: groups * 128 work-items in groups of 128.
__kernel __attribute__((reqd_work_group_size(128, 1, 1)))
void dot_groups(__global const float *x, __global const float *y, __global float *sums, int n)
{
    __local float t[128];
    int l = get_local_id(0);
    float sum = 0.0f;
    for (int i = get_global_id(0); i < n; i += get_global_size(0))
        sum += x[i] * y[i];
    t[l] = sum;
    for (int step = 64; step > 0; step /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < step)
            t[l] += t[l + step];
    }
    if (l == 0)
        sums[get_group_id(0)] = t[0];
}

// NDRange: one group of 128 work-items.
__kernel __attribute__((reqd_work_group_size(128, 1, 1)))
void dot_total(__global const float *sums, __global float *total, int groups)
{
    __local float t[128];
    int l = get_local_id(0);
    float sum = 0.0f;
    for (int i = l; i < groups; i += 128)
        sum += sums[i];
    t[l] = sum;
    for (int step = 64; step > 0; step /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < step)
            t[l] += t[l + step];
    }
    if (l == 0)
        total[0] = t[0];
}
