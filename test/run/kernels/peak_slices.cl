// Peaks of clipped windows, and where they are, in strides of the launch.
__kernel void peak_slices(int count, __global const float *restrict in,
                          int planes, int height, int width, int rows,
                          int columns, int size, int step, int border,
                          __global float *restrict out,
                          __global int *restrict place) {
  for (int i = get_global_id(0); i < count; i += get_global_size(0)) {
    const int column = i % columns;
    const int row = (i / columns) % rows;
    const int plane = (i / columns / rows) % planes;
    int top = row * step - border;
    int left = column * step - border;
    const int bottom = min(top + size, height);
    const int right = min(left + size, width);
    top = max(top, 0);
    left = max(left, 0);
    float peak = -1.0e30f;
    int best = -1;
    __global const float *slice = in + plane * height * width;
    for (int y = top; y < bottom; ++y)
      for (int x = left; x < right; ++x)
        if (slice[y * width + x] > peak) {
          best = y * width + x;
          peak = slice[best];
        }
    out[i] = peak;
    place[i] = best;
  }
}
