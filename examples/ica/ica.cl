// Independent components (FastICA, g(y) = y^3). The mean, the covariance and the whitening matrix
// come from mnf.cl and jacobi.cl. Signals are [signal][sample].

// z = m (x - mean). NDRange: samples work-items.
__kernel void center_and_whiten(__global const float *m, __global const float *x,
                                __global const float *mean, __global float *z, int signals,
                                int samples)
{
    int s = get_global_id(0);
    if (s >= samples)
        return;
    for (int i = 0; i < signals; i++) {
        float sum = 0.0f;
        for (int k = 0; k < signals; k++)
            sum += m[i * signals + k] * (x[k * samples + s] - mean[k]);
        z[i * samples + s] = sum;
    }
}

// y = w z. NDRange: samples x signals work-items.
__kernel void project(__global const float *w, __global const float *z, __global float *y,
                      int signals, int samples)
{
    int s = get_global_id(0);
    int i = get_global_id(1);
    if (s >= samples)
        return;
    float sum = 0.0f;
    for (int k = 0; k < signals; k++)
        sum += w[i * signals + k] * z[k * samples + s];
    y[i * samples + s] = sum;
}

// next[i][d] = mean of z[d] g(y[i]) - mean of g'(y[i]) times w[i][d], for all components in one
// launch. NDRange: 64 * signals x signals work-items in groups of 64, one for each element of w.
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void update(__global const float *z, __global const float *y, __global const float *w,
            __global float *next, int signals, int samples)
{
    __local float sums[64];
    __local float slopes[64];
    int l = get_local_id(0);
    int d = get_group_id(0);
    int i = get_group_id(1);
    float sum = 0.0f;
    float slope = 0.0f;
    for (int s = l; s < samples; s += 64) {
        float v = y[i * samples + s];
        sum += z[d * samples + s] * v * v * v;
        slope += 3.0f * v * v;
    }
    sums[l] = sum;
    slopes[l] = slope;
    for (int step = 32; step > 0; step /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < step) {
            sums[l] += sums[l + step];
            slopes[l] += slopes[l + step];
        }
    }
    if (l == 0)
        next[i * signals + d] = (sums[0] - slopes[0] * w[i * signals + d]) / samples;
}

// Rows of w made orthogonal to those before them, and of length 1, all in one launch.
// NDRange: one group of 64 work-items; others do nothing.
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void orthonormalize(__global float *w, int signals)
{
    __local float sums[64];
    int l = get_local_id(0);
    if (get_group_id(0) > 0)
        return;
    for (int i = 0; i < signals; i++) {
        for (int j = 0; j <= i; j++) {
            float sum = 0.0f;
            for (int d = l; d < signals; d += 64)
                sum += w[i * signals + d] * w[j * signals + d];
            sums[l] = sum;
            for (int step = 32; step > 0; step /= 2) {
                barrier(CLK_LOCAL_MEM_FENCE);
                if (l < step)
                    sums[l] += sums[l + step];
            }
            barrier(CLK_LOCAL_MEM_FENCE);
            float dot = sums[0];
            barrier(CLK_LOCAL_MEM_FENCE);
            for (int d = l; d < signals; d += 64) {
                if (j < i)
                    w[i * signals + d] -= dot * w[j * signals + d];
                else
                    w[i * signals + d] /= sqrt(dot);
            }
        }
    }
}
