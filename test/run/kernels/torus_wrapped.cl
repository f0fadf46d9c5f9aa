// A torus: all neighbours are taken modulo the extents, with ids in 64 bits.
__kernel void torus_wrapped(__global const float *a, __global float *b, uint w, uint h)
{
    size_t x = get_global_id(0), y = get_global_id(1);
    if (x >= w || y >= h)
        return;
    b[y * w + x] = a[y * w + (x + 1) % w] + a[y * w + (x + w - 1) % w]
                 + a[((y + 1) % h) * w + x] + a[((y - 1 + h) % h) * w + x] - 4 * a[y * w + x];
}
