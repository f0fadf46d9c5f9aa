// Affine warp with nearest neighbours; a constant outside.
__kernel void warp_affine(__global const uchar4 *src, int sw, int sh, __global uchar4 *dst, int dw, int dh,
                          __constant float *M, uchar border)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    if (x < dw && y < dh) {
        int sx = convert_int_rtn(M[0] * x + M[1] * y + M[2] + 0.5f);
        int sy = convert_int_rtn(M[3] * x + M[4] * y + M[5] + 0.5f);
        uchar4 v = (uchar4)(border);
        if (sx >= 0 && sx < sw && sy >= 0 && sy < sh)
            v = src[sy * sw + sx];
        dst[y * dw + x] = v;
    }
}
