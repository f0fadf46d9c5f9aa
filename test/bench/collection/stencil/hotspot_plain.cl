// Temperature of a chip, clamped at the border.
#define AMB_TEMP 80.0f

__kernel void hotspot(__global const float *power, __global const float *temp_src, __global float *temp_dst, int cols,
                      int rows, float Cap, float Rx, float Ry, float Rz, float step)
{
    int c = get_global_id(0);
    int r = get_global_id(1);
    if (c >= cols || r >= rows)
        return;
    int N = r == 0 ? 0 : r - 1;
    int S = r == rows - 1 ? rows - 1 : r + 1;
    int W = c == 0 ? 0 : c - 1;
    int E = c == cols - 1 ? cols - 1 : c + 1;
    float t = temp_src[r * cols + c];
    temp_dst[r * cols + c] =
        t + step / Cap *
                (power[r * cols + c] + (temp_src[S * cols + c] + temp_src[N * cols + c] - 2.0f * t) / Ry +
                 (temp_src[r * cols + E] + temp_src[r * cols + W] - 2.0f * t) / Rx + (AMB_TEMP - t) / Rz);
}
