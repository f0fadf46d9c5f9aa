__kernel void two(__global float *a) {
  int i = get_global_id(0);
  a[2 * i] = 1.0f;
  a[2 * i + 1] += 2.0f;
}
