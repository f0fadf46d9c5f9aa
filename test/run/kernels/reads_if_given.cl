// An argument says whether there is anything to read: the buffer has one element where
// there is not.
__kernel void reads_if_given(__global int *o, __global const int *a, int f)
{
    int w = get_global_id(0);
    int s = 0;
    for (int i = 0; i < 64; i++)
        s += f != 0 ? a[w * 64 + i] : i;
    for (int k = 0; k < 16; k++)
        s += f != 0 ? a[w + 100] * k : k;
    o[w] = s;
}
