// F12: cells of two, three and eight components, and structures.
struct Particle {
  float x, y, mass;
  int2 cell;
};
typedef struct {
  short4 color;
  double weight;
} Site;
__kernel void vector_kinds(__global const float3 *restrict a, __global const int2 *restrict b,
                           __global const short8 *restrict c, __global const struct Particle *restrict p,
                           __global const Site *restrict s, __global float3 *restrict sums,
                           __global long *restrict totals, int n) {
  int i = get_global_id(0);
  if (i >= n)
    return;
  float3 sum = a[i];
  long total = 0;
  for (int k = 0; k < n; k++) {
    sum = sum * 0.5f + a[k].zyx * p[k].mass;
    sum.xy -= (float2)(p[k].x, p[k].y);
    total += b[k + 1].y * (long)b[k].x + c[k].s5 + c[k].hi.x + p[k].cell.y;
    total += s[k].color.z + (s[k].weight > 0.5 ? 1 : 0);
  }
  sums[i] = sum;
  totals[i] = total;
}
