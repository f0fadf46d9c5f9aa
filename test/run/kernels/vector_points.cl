// Coordinates in a vector, sizes in one that the host passes by value, comparisons of all components.
__kernel void vector_points(__global const float *in, __global float *out, int2 size)
{
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    if (any(at >= size))
        return;
    float sum = 0.0f;
    for (int k = -2; k <= 2; k++) {
        int2 from = clamp(at + (int2)(k, 0), (int2)(0), size - 1);
        sum += in[from.y * size.x + from.x];
    }
    out[at.y * size.x + at.x] = sum;
}
