// Iterations until escape.
__kernel void mandelbrot(__global int *out, int width, int height, float x0, float y0, float scale, int max_iter)
{
    int px = get_global_id(0);
    int py = get_global_id(1);
    if (px >= width || py >= height)
        return;
    float cx = x0 + px * scale;
    float cy = y0 + py * scale;
    float x = 0.0f, y = 0.0f;
    int it = 0;
    while (x * x + y * y <= 4.0f && it < max_iter) {
        float t = x * x - y * y + cx;
        y = 2.0f * x * y + cy;
        x = t;
        it++;
    }
    out[py * width + px] = it;
}
