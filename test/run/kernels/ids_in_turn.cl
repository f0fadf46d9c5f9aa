// One id that is taken apart step by step, in a variable that changes.
__kernel void ids_in_turn(__global const float *restrict in,
                          __global const float *restrict weights,
                          __global float *restrict out, int batches, int kinds,
                          int planes, int height, int width, int size) {
  int id = get_global_id(0);
  int total = batches * kinds * height * width;
  if (id >= total)
    return;
  int x = id % width;
  int rest = id / width;
  int y = rest % height;
  rest /= height;
  int kind = rest % kinds;
  int batch = rest / kinds;
  float sum = 0.0f;
  for (int plane = 0; plane < planes; plane++) {
    int from = (batch * planes + plane) * height * width;
    int at = (kind * planes + plane) * size * size;
    for (int dy = 0; dy < size; dy++) {
      int row = y + dy - size / 2;
      if (row < 0 || row >= height)
        continue;
      for (int dx = 0; dx < size; dx++) {
        int column = x + dx - size / 2;
        if (column >= 0 && column < width)
          sum += in[from + row * width + column] * weights[at + dy * size + dx];
      }
    }
  }
  out[id] = sum;
}
