// The Mandelbrot set: z = z^2 + c, at most 255 times, until |z| > 2. Pixels are blue, green, red
// and opacity. NDRange: w x h work-items.
__kernel void mandelbrot(__global uchar4 *image, int w, int h, float left, float top, float step)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    if (x >= w || y >= h)
        return;
    float cx = left + x * step;
    float cy = top - y * step;
    float zx = 0.0f;
    float zy = 0.0f;
    int k = 0;
    while (k < 255 && zx * zx + zy * zy <= 4.0f) {
        float next = zx * zx - zy * zy + cx;
        zy = 2.0f * zx * zy + cy;
        zx = next;
        k++;
    }
    image[y * w + x] = (uchar4)(k, (uchar)(k * 5), (uchar)(k * 11), 255);
}
