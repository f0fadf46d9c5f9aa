// Hits in a circle with a linear congruential generator per work-item.
inline uint lcg(uint *s)
{
    *s = *s * 1664525u + 1013904223u;
    return *s;
}

__kernel void pi_hits(__global const uint *seeds, __global uint *hits, int n, int trials)
{
    int i = get_global_id(0);
    if (i >= n)
        return;
    uint s = seeds[i];
    uint h = 0;
    for (int t = 0; t < trials; t++) {
        float x = (lcg(&s) >> 8) * (1.0f / 16777216.0f);
        float y = (lcg(&s) >> 8) * (1.0f / 16777216.0f);
        if (x * x + y * y < 1.0f)
            h++;
    }
    hits[i] = h;
}
