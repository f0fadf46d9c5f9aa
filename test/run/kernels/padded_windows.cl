// Windows with a step, a distance between taps and a border of zeros, all of
// them arguments: the condition is not affine, and the same for all planes.
__kernel void padded_windows(__global const float *restrict image,
                             __global const float *restrict taps,
                             __global const float *restrict offsets,
                             __global float *restrict result, int planes,
                             int height, int width, int kinds, int rows,
                             int columns, int size, int step, int border,
                             int apart) {
  int column = get_global_id(0);
  int row = get_global_id(1);
  int kind = get_global_id(2);
  if (column >= columns || row >= rows || kind >= kinds)
    return;
  float sum = offsets[kind];
  for (int plane = 0; plane < planes; plane++)
    for (int dy = 0; dy < size; dy++)
      for (int dx = 0; dx < size; dx++) {
        int y = row * step - border + dy * apart;
        int x = column * step - border + dx * apart;
        if (y >= 0 && y < height && x >= 0 && x < width)
          sum += image[(plane * height + y) * width + x] *
                 taps[((kind * planes + plane) * size + dy) * size + dx];
      }
  result[(kind * rows + row) * columns + column] = sum;
}
