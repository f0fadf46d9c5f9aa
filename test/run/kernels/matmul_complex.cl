// Structs of two floats; two sums advance together.
typedef struct {
    float re, im;
} Complex;

__kernel void matmul_complex(__global const Complex *restrict a, __global const Complex *restrict b,
                             __global Complex *restrict c, int m, int n, int k)
{
    int j = get_global_id(0);
    int i = get_global_id(1);
    if (i < m && j < n) {
        float re = 0.0f, im = 0.0f;
        for (int l = 0; l < k; l++) {
            re += a[i * k + l].re * b[l * n + j].re - a[i * k + l].im * b[l * n + j].im;
            im += a[i * k + l].re * b[l * n + j].im + a[i * k + l].im * b[l * n + j].re;
        }
        c[i * n + j].re = re;
        c[i * n + j].im = im;
    }
}
