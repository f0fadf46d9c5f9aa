// The nearest of k centres for every point: a reduction inside a reduction, and an index.
__kernel void kmeans_assign(__global const float *restrict point, __global const float *restrict centre,
                            __global int *restrict member, __global float *restrict nearest, int n, int k, int d)
{
    int i = get_global_id(0);
    if (i < n) {
        float best = FLT_MAX;
        int index = 0;
        for (int c = 0; c < k; c++) {
            float sum = 0.0f;
            for (int f = 0; f < d; f++)
                sum += (point[f * n + i] - centre[c * d + f]) * (point[f * n + i] - centre[c * d + f]);
            if (sum < best) {
                best = sum;
                index = c;
            }
        }
        member[i] = index;
        nearest[i] = best;
    }
}
