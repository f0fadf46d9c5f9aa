// Counts of angles between points by bins with integer atomics.
#define NUM_BINS 20

__kernel void angles(__global const float *x, __global const float *y, __global const float *z,
                     __constant float *binb, __global uint *hist, int n)
{
    __local uint local_hist[NUM_BINS + 1];
    for (int b = get_local_id(0); b <= NUM_BINS; b += get_local_size(0))
        local_hist[b] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    int i = get_global_id(0);
    if (i < n) {
        for (int j = i + 1; j < n; j++) {
            float d = x[i] * x[j] + y[i] * y[j] + z[i] * z[j];
            int lo = 0, hi = NUM_BINS;
            while (hi > lo + 1) {
                int mid = (lo + hi) / 2;
                if (d >= binb[mid])
                    hi = mid;
                else
                    lo = mid;
            }
            atomic_inc(&local_hist[lo]);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int b = get_local_id(0); b <= NUM_BINS; b += get_local_size(0))
        atomic_add(&hist[b], local_hist[b]);
}
