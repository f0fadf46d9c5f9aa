// Five points of one array, one of another, two results; the border is left as it is.
__kernel void jacobi2d_residual(__global const float *restrict u, __global const float *restrict f,
                                __global float *restrict v, __global float *restrict r, float h2, int w, int h)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    if (x >= 1 && x < w - 1 && y >= 1 && y < h - 1) {
        float sum = u[(y - 1) * w + x] + u[(y + 1) * w + x] + u[y * w + x - 1] + u[y * w + x + 1];
        v[y * w + x] = 0.25f * (sum - h2 * f[y * w + x]);
        r[y * w + x] = f[y * w + x] - (sum - 4.0f * u[y * w + x]) / h2;
    }
}
