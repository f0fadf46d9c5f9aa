// F12: a product of matrices, one of them in vectors of four columns.
__kernel void vector_product(__global const float *restrict A, __global const float4 *restrict B,
                             __global float4 *restrict C, int n, int m, int depth) {
  int j = get_global_id(0), i = get_global_id(1);
  if (j >= m || i >= n)
    return;
  float4 sum = (float4)(0.0f);
  for (int k = 0; k < depth; k++)
    sum += A[i * depth + k] * B[k * m + j];
  C[i * m + j] = sum;
}
