// Cells from a computed affine place: transposed, every second row, from the right.
__kernel void gather_affine(__global const float *restrict in, __global float *restrict out, int w, int h)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    if (x < w && y < h)
        out[y * w + x] = in[(2 * x + 1) * h + (h - 1 - y)] + 0.5f * in[2 * x * h + y];
}
