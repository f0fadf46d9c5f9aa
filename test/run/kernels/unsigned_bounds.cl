// Coordinates before the begin of a row wrap, and are larger than its end then:
// one comparison asks for both ends. What is outside adds something of its own.
__kernel void unsigned_bounds(__global const float *a, __global float *b,
                              uint n)
{
    const uint x = get_global_id(0);
    if (x >= n)
        return;
    float sum = 0.0f;
    for (int i = -2; i <= 2; i++) {
        const uint at = x + i;
        if (at < n)
            sum += a[at];
        else
            sum += 0.25f * i;
    }
    if (n <= x - 3u)
        sum += 2.0f;
    b[x] = sum;
}
