__kernel void copy(__global float *y, __global const float *x, __global const int *at) {
  size_t i = get_global_id(0);
  y[i] = x[at[i]];
}
