// F12: pixels of four bytes, filtered with their neighbours' and turned.
#define RADIUS 2
__kernel void vector_pixels(__global const uchar4 *restrict in, __global const float *restrict mask,
                            __global uchar4 *restrict out, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x < RADIUS || y < RADIUS || x >= w - RADIUS || y >= h - RADIUS)
    return;
  float4 sum = (float4)(0.0f);
  for (int dy = 0; dy < 2 * RADIUS + 1; dy++)
    for (int dx = 0; dx < 2 * RADIUS + 1; dx++)
      sum += convert_float4(in[(y + dy - RADIUS) * w + x + dx - RADIUS]) *
             mask[dy * (2 * RADIUS + 1) + dx];
  out[x * h + y] = convert_uchar4_sat(sum);
}
