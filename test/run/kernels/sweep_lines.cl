// A tridiagonal system per row, forward and back; work-items walk along rows.
__kernel void sweep_lines(__global const double *restrict below, __global double *restrict diag,
                          __global double *restrict x, int n, int m)
{
    int i = get_global_id(0);
    if (i < m) {
        for (int j = 1; j < n; j++) {
            double q = below[i * n + j] / diag[i * n + j - 1];
            diag[i * n + j] += 4.0 - q * below[i * n + j - 1];
            x[i * n + j] -= q * x[i * n + j - 1];
        }
        for (int j = n - 1; j > 0; j--)
            x[i * n + j - 1] = (x[i * n + j - 1] - below[i * n + j] * x[i * n + j]) / diag[i * n + j - 1];
    }
}
