// F12: rows of scalars that are read as vectors.
__kernel void vector_rows(__global const float *restrict A, __global const float *restrict B,
                          __global const short *restrict points, __global float *restrict C,
                          __global int *restrict sums, int n, int m, int depth) {
  int j = get_global_id(0), i = get_global_id(1);
  if (j >= m || i >= n)
    return;
  float sum = 0.0f;
  for (int k = 0; k < depth; k++) {
    float4 a = vload4(k, A + i * depth * 4);
    float4 b = ((__global const float4 *)B)[j * depth + k];
    sum += a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
  }
  C[i * m + j] = sum;
  int total = 0;
  for (int l = 0; l < depth; l++) {
    short3 p = vload3(l, points);
    total += p.x * p.z - vload3(l, points).y + points[3 * l + 1];
  }
  sums[i * m + j] = total;
}
