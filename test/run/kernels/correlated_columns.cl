// A symmetric matrix that each work-item writes from its diagonal on, in both triangles.
#define EPS 0.005f
__kernel void correlated_columns(__global float *symmat, __global float *data, int m, int n)
{
    int j1 = get_global_id(0) + 1;
    if (j1 <= m - 1) {
        symmat[j1 * (m + 1) + j1] = 1.0f;
        for (int j2 = j1 + 1; j2 < m + 1; j2++) {
            symmat[j1 * (m + 1) + j2] = 0.0f;
            for (int i = 1; i < n + 1; i++)
                symmat[j1 * (m + 1) + j2] += data[i * (m + 1) + j1] * data[i * (m + 1) + j2];
            symmat[j2 * (m + 1) + j1] = symmat[j1 * (m + 1) + j2];
        }
    }
}
