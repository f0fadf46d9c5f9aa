// A pointer that advances by a constant in each step of the loop.
__kernel void pointer_walk(__global const float *a, __global float *b, int w, int h)
{
    int x = get_global_id(0);
    if (x >= w)
        return;
    __global const float *p = a + x;
    float s = 0.0f;
    for (int y = 0; y < h; y++) {
        s += *p;
        p += w;
    }
    b[x] = s;
}
