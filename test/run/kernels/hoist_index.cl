// Parts of subscripts that inner loops repeat: quotients and remainders of ids, products of outer iterators, bounds
// that cut the iterations.
__kernel void hoist_index(__global const int *restrict a, __global int *restrict b, uint w, int h, int planes)
{
    uint i = get_global_id(0);
    int y = i / w, x = i % w;
    for (int p = 0; p < planes; p++)
        for (int k = p; k < h; k++)
            if (k > y / 2)
                b[(p * h + k) * (int)get_global_size(0) + (int)i] = a[((p + 1) % planes * h + k) * (int)w + (x * x + y) % (int)w] * ((y + 3) / (p + 1)) + k;
    for (int q = h - 1; q >= 0; q -= 2)
        b[q * (int)get_global_size(0) + (int)i] += (x << (y & 3)) * a[q];
}
