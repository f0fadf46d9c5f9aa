// One access of each kind.
__kernel void patterns(__global float *restrict out, __global const float *restrict in,
                       __global const int *restrict index, int n) {
  int i = get_global_id(0);
  int j = get_global_id(1);
  float sum = in[j * n + i];
  sum += in[i * n + j];
  sum += in[n * n + 2 * i];
  sum += in[index[i]]; // clopt: off(clopt-unvectorized-indirect)
  out[j * n + i] = sum;
}
