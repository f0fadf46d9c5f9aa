// Flat subscripts in unsigned arithmetic.

__kernel void unsigned_products(__global const float *feature, __global const float *center,
                      __global float *distance, uint n, uint c, uint f) {
  uint point = get_global_id(0);
  if (point < n) {
    for (uint k = 0; k < c; k++) {
      float sum = 0;
      for (uint l = 0; l < f; l++)
        sum += feature[l * n + point] * center[k * f + l];
      distance[k * n + point] = sum;
    }
  }
}
