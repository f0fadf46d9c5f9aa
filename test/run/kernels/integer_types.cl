// Every integer width, with conversions and wrapping.
__kernel void integer_types(__global const uchar *a, __global const short *b,
                            __global const int *c, __global const uint *d,
                            __global const long *e, __global ushort *out16,
                            __global uint *out32, __global ulong *out64, int n)
{
    int i = get_global_id(0);
    if (i < n) {
        uchar narrow = a[i] + 200;
        out16[i] = (ushort)(narrow * b[i]);
        out32[i] = d[i] - 2000u + (uint)c[i];
        out64[i] = (ulong)e[i] * d[i] + narrow;
    }
}
