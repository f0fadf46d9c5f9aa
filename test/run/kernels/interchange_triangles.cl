// Column sums over triangles and bands: the inner loop walks across the rows.
__kernel void interchange_triangles(__global const float *restrict in, __global float *restrict upper,
                                    __global float *restrict lower, __global float *restrict band, int n) {
    int w = get_global_id(0);
    for (int i = 0; i < n; i++) {
        float scale = in[i] + 0.5f;
        for (int j = i; j < n; j++)
            upper[w * n + j] += scale + in[i * n + j];
    }
    for (int p = n - 1; p > 0; p--) {
        lower[w * n + p] = 1;
        for (int q = p; q >= 0; q -= 2)
            lower[w * n + q] += in[p * n + q];
    }
    for (int s = 0; s < n; s++)
        for (int t = max(s - 2, 0); t < min(s + 3, n); t++)
            band[w * n + t] = in[s * n + t] - band[w * n + t];
}
