// Distances between two sets of points of any dimension.
__kernel void distance_matrix(__global const float *restrict p, __global const float *restrict q,
                              __global float *restrict dist, int m, int n, int k)
{
    int j = get_global_id(0);
    int i = get_global_id(1);
    if (j >= n || i >= m)
        return;
    float sum = 0.0f;
    for (int c = 0; c < k; c++) {
        float d = p[i * k + c] - q[j * k + c];
        sum += d * d;
    }
    dist[i * n + j] = sqrt(sum);
}
