// F12: a product of matrices whose operands are both vectors along the sum.
__kernel void vector_dots(__global const float4 *restrict A, __global const float4 *restrict B,
                          __global float *restrict C, int n, int m, int depth) {
  int j = get_global_id(0), i = get_global_id(1);
  if (j >= m || i >= n)
    return;
  float sum = 0.0f;
  for (int k = 0; k < depth; k++) {
    float4 a = A[i * depth + k];
    sum += a.x * B[j * depth + k].x + a.y * B[j * depth + k].y + a.z * B[j * depth + k].z +
           a.w * B[j * depth + k].w;
  }
  C[i * m + j] = sum;
}
