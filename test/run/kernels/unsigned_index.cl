// uint and size_t indices; a difference that would wrap is guarded.
__kernel void unsigned_index(__global const float *a, __global float *b, uint n)
{
    size_t i = get_global_id(0);
    uint k = (uint)i;
    if (i >= n)
        return;
    float left = k >= 1u ? a[k - 1u] : 0.0f;
    uint wrapped = (k * 2654435761u) % n;
    b[i] = left + a[wrapped];
}
