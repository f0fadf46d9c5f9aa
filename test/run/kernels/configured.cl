// What flags decide about: a helper, a size with a default, a type, a number, and text in the body.
// The optimized file is also built with other flags, where it has to be this one.
#ifndef TS
#define TS 16
#endif

#ifdef ABS
float element(float x) { return fabs(x); }
#else
float element(float x) { return x; }
#endif

__kernel void sum_blocks(__global float *o, __global const float *a) {
  int i = get_global_id(0);
  float s = 0;
  for (int j = 0; j < TS; j++)
    s += element(a[i * TS + j]);
  o[i] = s;
}

__kernel void sum_as(__global float *o, __global const float *a) {
  int i = get_global_id(0);
  T s = 0;
  for (int j = 0; j < 32; j++)
    s += (T)a[i * 32 + j] * (T)SCALE;
#if TS > 16 && !defined(ABS)
  s += 1;
#elif TS < 16
  s += 2;
#endif
  o[i] = s;
}

__kernel void turn_blocks(__global float *o, __global const float *a) {
  __local float block[TS];
  int l = get_local_id(0), i = get_global_id(0);
  block[l] = a[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  float s = 0;
  for (int j = 0; j < TS; j++)
    s += block[j] * j;
  o[i] = s + block[TS - 1 - l];
}
