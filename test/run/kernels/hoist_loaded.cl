// Values of cells that nothing writes meanwhile; those of `c` change.
__kernel void hoist_loaded(__global const float *restrict a, __global float *restrict c, __global float *b, int n)
{
    int i = get_global_id(0), size = get_global_size(0);
    for (int k = 0; k < n; k++) {
        b[k * size + i] = sqrt(a[i]) / a[k] + a[i] * a[i] * k;
        c[i] = c[i] / 3.0f + k;
        for (int l = k; l < n; l++)
            b[l * size + i] += (a[k] - 0.5f) / c[i] * l;
    }
}
