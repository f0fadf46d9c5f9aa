// Reads ahead of a buffer in launches that validation makes up.
__kernel void f(__global const float *in, __global float *out, int n) {
  int i = get_global_id(0);
  float part[3];
  for (int k = 0; k < 3; k++)
    part[k] = in[i + k - 1 < 0 ? 0 : i + k - 1 >= n ? n - 1 : i + k - 1];
  if (i < n)
    out[i] = 2.0f * part[1] - 0.5f * (part[0] + part[2]);
}
