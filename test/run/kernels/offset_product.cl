// A part of a product: the offset of the NDRange says which.
__kernel void offset_product(__global const float *restrict a, __global const float *restrict b,
                             __global float *restrict c, int m, int n, int k)
{
    size_t j = get_global_id(0);
    size_t i = get_global_id(1);
    if (i < m && j < n) {
        float sum = 0.0f;
        for (int l = 0; l < k; l++)
            sum += a[i * k + l] * b[l * n + j];
        c[i * n + j] = sum;
    }
}
