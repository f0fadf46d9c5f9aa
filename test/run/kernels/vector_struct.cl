// Sizes in a structure that the host passes by value; unsigned coordinates in a vector, set one by one.
typedef struct {
    int width, height;
    float gain;
} Size;

__kernel void vector_struct(__global const float *in, __global float *out, const Size size)
{
    uint2 p;
    p.x = get_global_id(0);
    p.y = get_global_id(1);
    if (p.x < size.width && p.y < size.height)
        out[p.x * size.height + p.y] = in[p.y * size.width + p.x] * size.gain;
}
