// F14: a row of bytes per work-item, which lie side by side when rows are columns.
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void local_rows_bytes(__global const uchar *restrict in, __global int *restrict out,
                      __global const int *restrict p, int n) {
  __local uchar t[64][48];
  __local short square[16][16];
  int l = get_local_id(0), i = get_global_id(0);
  for (int k = 0; k < 48; k++)
    t[l][k] = i < n ? in[i * 48 + k] : 0;
  for (int k = 0; k < 4; k++)
    square[l >> 2][(l & 3) * 4 + k] = t[l][k];
  barrier(CLK_LOCAL_MEM_FENCE);
  int sum = 0;
  for (int k = 0; k < 48; k++)
    sum += t[l][k] * (k + 1);
  if (i < n)
    out[i] = sum + t[l][p[i] & 31] + square[l & 15][l >> 2];
}
