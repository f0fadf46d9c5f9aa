#define T 64
void put(__global const float *p, __global float *to, int i) { to[i] = p[i]; }

__kernel void reversed(__global float *a, __global float *b) {
  __local float t[T];
  int l = get_local_id(0), i = get_global_id(0);
  t[l] = a[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  b[i] = t[T - 1 - l];
}
__kernel void scaled(__global float *a, __global float *b, float f) {
  b[get_global_id(0)] = f * a[get_global_id(0)];
}
__kernel void written(__global float *a, int i) {
  put(a, a, i);
}
