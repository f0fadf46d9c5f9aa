__kernel void f60_0(
    __global const uint *in3,
    __global const ELEM *in4,
    __global float *out5,
    __global const int *ix6,
    __global const ushort *in7,
    int p,
    int n,
    int m) {
  for (size_t i = get_global_id(0); i < n; i += get_global_size(0)) {
    double s2 = 0.1;
    for (int d1 = 1; d1 <= 4; d1 *= 2) {
      s2 += ((double)(in3[i * 3*RR + 3 * d1]) + ((double)(d1) + (double)(in4[((RR - d1 - 1) + 3 - 1) * (n * RR) + ((n - 1 - i)) * RR + (d1 >> 1)])));
      out5[i] += (in4[(d1 * n + i) * RR + d1] <= (in3[i * 3*RR + 3 * ix6[i] + 1]) ? (float)(d1) : 3.0f);
    }
    out5[i] = ((in4[((2 + (RR - 1)) * n + i) * RR + (RR - 1)] >= (float)(ix6[i]) ? ((in7[(i / 2) + 2 + (n + 4) * (i + 3 - 1)]) - (p)) : 0.1f) + (in7[(2 + (i > 0 ? i - 1 : 0)) * (n + 4) + 2 + i] >= (int)(i) ? (in4[(RR - 1) + RR * ((i / 2) + n * ((RR - 1) + 3 - 1))] - (float)(s2)) : out5[i] * 0.25f));
  }
}

static float h_F60_1_1(__global const float *p, int n) { for (int tx = 0; tx < n; tx++) if (p[tx] > 0.5f) return p[tx]; return 0.0f; }
typedef struct { float m0; } S_F60_1;
static float h_F60_1(float a, float b) { return a * b + 0.5f; }
static float h_F60_1_6(__global const float *p, int n) { return n > 1 ? p[n - 1] : p[0]; }
static float h_F60_1_15(__global const float *p, int n) { float s = 0.0f; for (int tx = 0; tx < n; tx++) s += p[tx]; return s; }
__kernel void f60_1(
    __global const float *src2,
    __global S_F60_1 *out4,
    __global float *in5,
    __global const float *src7,
    __global const S_F60_1 *in9,
    __global const ushort *in10,
    __global const float *in12,
    __global const int *ix13,
    __global S_F60_1 *row14,
    __global const float *src16,
    int p,
    int n,
    int m) {
  int tx = get_global_id(1);
  const int ty = get_global_id(0);
  float t3 = h_F60_1_1(src2 + tx * RR + 0, (int)RR);
  out4[((1 + 3) * m + ty) * n + tx].m0 += (((in5[(ty + 2 - 1) * m + ((ty + 1) % m)] - t3) - (t3 - out4[(1 + 3) * (m * n) + (ty) * n + tx].m0 * 0.25f)) - ((in5[(ty + 3 - 1) * m + (ty / 2)] + t3) * h_F60_1(out4[((2 + 4 - 1) * m + ty) * n + tx].m0 * 0.25f, in5[ty + m * (ty + 3)])));
  float t8 = h_F60_1_6(src7 + tx * 3 + 0, (int)3);
  out4[(3 + 0) * (m * n) + (ty) * n + tx].m0 += (fma((float)(clamp((float)(t3), -1.0f, 1.0f)), (float)((in9[(tx > 0 ? tx - 1 : 0)].m0 - in5[(ty + 2) * m + ty])), (float)((float)(p))) + ((out4[tx + n * ((3 + 2) * m + ty)].m0 * 0.25f + (in10[(ty + 1) * m + ty])) + h_F60_1(t8, out4[(3 + 0) * (m * n) + (ty) * n + tx].m0 * 0.25f)));
  S_F60_1 e11 = out4[((1 + 3) * m + ty) * n + tx];
  e11.m0 += (in9[tx].m0 + in12[3 * ty + 3 - 1 + (3*m + 2) * ((2 * ty + 1) * m + ix13[ty])]);
  row14[(tx) * (m * 1) + (ty) * 1 + 0] = e11;
  out4[(3 + 0) * (m * n) + (ty) * n + tx].m0 -= in5[(2 + ty) * m + (ty & ~1)];
  float t17 = h_F60_1_15(src16 + 0 + RR * tx, (int)RR);
  out4[((1 + 3) * m + ty) * n + tx].m0 = (fmax((float)((float)(in10[ty + m * (2 + ty)])), (float)((float)(ty))) + (-((float)(tx))));
}

static void h_F60_2_1(int tx, int *u2, int *v3) { *u2 = tx / 4; *v3 = tx % 4; }
__kernel void f60_2(
    __global float *restrict out4,
    __global ushort *restrict in5,
    __global const int *restrict ix6,
    long n,
    long m) {
  int tx = get_global_id(2);
  int ty = get_global_id(1);
  int tz = get_global_id(0);
  int u2, v3;
  h_F60_2_1((int)tz, &u2, &v3);
  out4[(tz) * (2 * n) + (ty) * n + tx] += (0.5f + (*(in5 + ((tx) * ((m + 4) * (2 + 2)) + (ix6[ty] + 2) * (2 + 2) + ty))));
  for (int r7 = 0; r7 < n; r7 += 1) {
    if (r7 == 2) break;
    const int t8 = r7;
    out4[(tz * 2 + ty) * n + tx] = ((float)(in5[(r7 * (m + 4) + (2 + (tz > 0 ? tz - 1 : 0))) * (2 + 2) + 1 + ty]) * (ix6[ty]));
  }
}

__kernel void f60_3(
    __global const float *in3,
    __global float *view4,
    __global half *restrict out5,
    __global int *restrict row8,
    __global const half *restrict in9,
    __global uint *restrict in10,
    __global const char *restrict in11,
    __global const ushort *restrict opt13,
    uint flag12,
    ulong n,
    ulong m) {
  const int i = get_global_id(0);
  int j = get_global_id(1);
  if (i < n && j < m) {
    char b1 = (char)((j % 3));
    int c2 = 0;
    while (c2 < n) {
      b1 += (char)(((b1 & 1023) - convert_int_sat_rtz(in3[19 + j])));
      c2 += 1;
    }
    vstore_half((float)((float)((b1 & 1023))), (i + n * (1 + j)) * m + j, out5);
    for (size_t r6 = 1; r6 < n; r6 += 2) {
      for (long r7 = m - 1; r7 >= 0; r7 -= 2) {
        if (r6 > 0)
          row8[(i) * (m * n) + (j) * n + r6 - 1] = ((convert_int_sat_rte(vload_half(j + m * ((1 + r7) * n + i), out5) * 0.25f)) >> (int)((convert_int_sat_rte(vload_half(r7 + 3 - 1 + (m + 4) * j, in9)) & 7) + 1));
      }
      vstore_half((float)((i != 0 ? (float)(in11[i - 1]) : (float)(j))), j + m * ((j + 1) * n + i), out5);
    }
    vstore_half((float)((!(flag12 > 0) ? (j) : (float)(opt13[j]))), ((1 + j) * n + i) * m + j, out5);
  }
}
