__kernel void scale(__global float *a, float f) {
  a[get_global_id(0)] *= f;
}
