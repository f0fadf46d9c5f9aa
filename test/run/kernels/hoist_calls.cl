// Values that no iteration changes: of a row, of a row and a column, of arguments alone.
__kernel void hoist_calls(__global const float *a, __global const float *b, __global float *c, int n, int m, float d)
{
    int i = get_global_id(0);
    float width = a[i] * a[i] + 0.5f;
    float sum = 0.0f;
    for (int k = 0; k < n; k++) {
        float row = 0.0f;
        for (int l = 0; l < m; l++) {
            row += exp(-width) / (d + 1.5f) * b[k * m + l];
            row -= width * d;
            c[(k * m + l) * get_global_size(0) + i] = sqrt(width + b[k * m]) * b[l] + width / d;
        }
        sum += row * rsqrt(width);
    }
    c[i] = sum;
}
