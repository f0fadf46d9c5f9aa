typedef float number;
__kernel void f(__global number *row4, __global const number *src5,
                __global const number *src6, __global const uchar *in10,
                __global const number *in12, __global ushort *out13,
                __global const ushort *in14, uint p, uint n, int m) {
  int q1 = get_global_id(0);
  int x = get_global_id(0);
  float s3 = 0;
  for (int k2 = 0; k2 < 5; k2++) {
    s3 += src5[k2] * src6[x + n * k2];
  }
  row4[x] = s3;
  char b9 = (char)(in10[x + 4 + (n + 4) * (2 * x)]);
  for (q1 = (int)m - 1; q1 >= 0; q1--) {
    b9 -= (char)((q1 >= 3 ? 3 : (b9 & 1023)));
  }
  out13[x + n * 4] +=
      ((((b9 & 1023) + (int)(p))) +
       ((x - (out13[x] & 127)) +
        ((b9 & 1023) * in10[(2 * x + 1) * (n + 4) + x + 4 - 1])));
}
