# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels of different kinds, and what steps may be tried on in each.

`NAME` stands for the name of the kernel. Work dimensions, loops and arrays are named
as in recipes; `private` are variables of a work-item.
"""

from dataclasses import dataclass, field


@dataclass
class Kind:
    source: str
    work: list
    loops: list
    arrays: list
    private: list = field(default_factory=list)
    strides: list = field(default_factory=list)  # loops in steps of the launch's size


KINDS = {
    "product": Kind("""
__kernel void NAME(__global const float *a, __global const float *b, __global float *c, int m, int n, int p) {
  int j = get_global_id(0), i = get_global_id(1);
  if (i < m && j < n) {
    float sum = 0;
    for (int k = 0; k < p; k++)
      sum += a[i * p + k] * b[k * n + j];
    c[i * n + j] = sum;
  }
}""", ["w0", "w1"], ["k"], ["a", "b", "c"], ["sum"]),
    "stencil": Kind("""
__kernel void NAME(__global const float *restrict in, __global float *restrict out, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= 1 && x < w - 1 && y >= 1 && y < h - 1)
    out[y * w + x] = 0.25f * (in[y * w + x - 1] + in[y * w + x + 1] + in[(y - 1) * w + x] + in[(y + 1) * w + x]);
}""", ["w0", "w1"], [], ["in", "out"]),
    "convolution": Kind("""
__kernel void NAME(__global const float *restrict in, __constant float *taps, __global float *restrict out, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x < w && y < h) {
    float sum = 0;
    for (int v = 0; v < 3; v++)
      for (int u = 0; u < 3; u++)
        sum += taps[v * 3 + u] * in[(y + v) * (w + 2) + x + u];
    out[y * w + x] = sum;
  }
}""", ["w0", "w1"], ["u", "v"], ["in", "taps", "out"], ["sum"]),
    "rows": Kind("""
__kernel void NAME(__global const float *a, __global float *means, __global float *squares, int n) {
  int i = get_global_id(0);
  float s = 0, q = 0;
  for (int k = 0; k < n; k++)
    s += a[i * n + k];
  for (int l = 0; l < n; l++)
    q += (a[i * n + l] - s) * (a[i * n + l] - s);
  means[i] = s;
  squares[i] = q;
}""", ["w0"], ["k", "l"], ["a", "means", "squares"], ["s", "q"]),
    "triangle": Kind("""
__kernel void NAME(__global const float *a, __global float *b, int n) {
  int i = get_global_id(0);
  if (i < n)
    for (int j = 0; j <= i; j++) {
      float t = 0;
      for (int k = 0; k <= j; k++)
        t += a[i * n + k] * a[j * n + k];
      b[i * n + j] = t;
    }
}""", ["w0"], ["j", "k"], ["a", "b"], ["t"]),
    "transpose": Kind("""
__kernel void NAME(__global const float *restrict a, __global float *restrict b, int n, int m) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x < n && y < m)
    b[x * m + y] = a[y * n + x];
}""", ["w0", "w1"], [], ["a", "b"]),
    "gather": Kind("""
__kernel void NAME(__global const int *index, __global const float *x, __global float *y, int n) {
  int i = get_global_id(0);
  float t = 0;
  for (int k = 0; k < 8; k++)
    if (index[k * n + i] >= 0)
      t += x[index[k * n + i]];
  y[i] = t;
}""", ["w0"], ["k"], ["index", "x", "y"], ["t"]),
    "sparse": Kind("""
__kernel void NAME(__global const int *rows, __global const int *columns, __global const float *values,
                   __global const float *x, __global float *y, int n) {
  int i = get_global_id(0);
  if (i < n) {
    float t = 0;
    for (int k = rows[i]; k < rows[i + 1]; k++)
      t += values[k] * x[columns[k]];
    y[i] = t;
  }
}""", ["w0"], ["k"], ["values", "x", "y"], ["t"]),
    "own_local": Kind("""
__kernel __attribute__((reqd_work_group_size(16, 1, 1)))
void NAME(__global const float *in, __global float *out, int n) {
  __local float t[16][17];
  int l = get_local_id(0), i = get_global_id(0);
  for (int k = 0; k < 16; k++)
    t[k][l] = in[k * n + i];
  barrier(CLK_LOCAL_MEM_FENCE);
  float s = 0;
  for (int q = 0; q < 16; q++)
    s += t[l][q];
  out[i] = s;
}""", ["w0"], ["k", "q"], ["t", "in", "out"], ["s"]),
    "planes": Kind("""
__kernel void NAME(__global const float4 *in, __global float4 *out, int w, int h, int planes) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x < w && y < h)
    for (int p = 0; p < planes; p++) {
      float4 v = in[(p * h + y) * w + x];
      out[(p * h + y) * w + x] = v * 0.5f;
    }
}""", ["w0", "w1"], ["p"], ["in", "out"], ["v"]),
    "bytes": Kind("""
__kernel void NAME(__global const uchar *rgb, __global uchar *gray, int w) {
  int y = get_global_id(0);
  for (int x = 0; x < w; x++)
    gray[y * w + x] = (rgb[(y * w + x) * 3] * 77 + rgb[(y * w + x) * 3 + 1] * 150 + rgb[(y * w + x) * 3 + 2] * 29 + 128) >> 8;
}""", ["w0"], ["x"], ["rgb", "gray"]),
    "recurrence": Kind("""
__kernel void NAME(__global float *u, __global const float *f, int n, int steps) {
  int i = get_global_id(0);
  for (int t = 1; t < steps; t++)
    for (int k = 1; k < 6; k++)
      u[(t * 8 + k) * n + i] = u[((t - 1) * 8 + k) * n + i] * 0.5f + f[k * n + i];
}""", ["w0"], ["k", "t"], ["u", "f"]),
    "counts": Kind("""
__kernel void NAME(__global const uint *a, __global uint *r, int n, int m) {
  int x = get_global_id(0), y = get_global_id(1);
  uint s = 0;
  for (int j = 0; j < n; j++)
    for (int k = 0; k < m; k++)
      s += a[(y * n + j) * m + k] >> (x & 7);
  r[y * (int)get_global_size(0) + x] = s;
}""", ["w0", "w1"], ["k", "j"], ["a", "r"], ["s"]),
    "columns": Kind("""
__kernel void NAME(__global const int *a, __global int *r, int n) {
  int i = get_global_id(0);
  for (int c = 0; c < 3; c++) {
    int low = 1000;
    for (int k = 0; k < n; k++)
      low = min(low, a[(k * 3 + c) * n + i]);
    r[i * 3 + c] = low;
  }
}""", ["w0"], ["k", "c"], ["a", "r"], ["low"]),
    "strided": Kind("""
__kernel void NAME(__global const uint *restrict a, __global uint *restrict r, __global uint *restrict q, uint n) {
  uint s = 0;
  for (uint i = get_global_id(0); i < n; i += get_global_size(0))
    s += a[i];
  r[get_global_id(0)] = s;
  for (int k = 0; k < 6; k++)
    q[get_global_id(0) * 6 + k] = a[get_global_id(0)] + (uint)k;
}""", ["w0"], ["k"], ["a", "r", "q"], ["s"], ["i"]),
}


def steps(kind):
    """Every step with small numbers, on everything it can be tried on."""
    lines = []
    for axis in kind.work + kind.loops:
        lines += [f"tile {axis}:4", f"vectorize {axis}:2"]
    lines += [f"coarsen {axis}:2" for axis in kind.work]
    for loop in kind.loops:
        lines += [f"unroll {loop}:2", f"hoist {loop}", f"map {loop}", f"split-reduction {loop}:4", f"peel {loop}:1",
                  f"peel {loop}:2 last"]
    for loop in kind.strides:
        lines += [f"rounds {loop}:2", f"rounds {loop}:2 together", f"require {loop}:4"]
    if len(kind.work) == 2:
        lines += [f"interchange {kind.work[0]} {kind.work[1]}"]
    if len(kind.loops) == 2:
        inner, outer = kind.loops
        lines += [f"interchange {inner} {outer}", f"fuse {inner} {outer}", f"tile {outer}:2 {inner}:2"]
    for array in kind.arrays:
        lines += [f"privatize {array}", f"stage {array}", f"hoist {array}", f"select {array}", f"strength {array}",
                  f"pad {array}:1", f"layout {array}"]
    return lines
