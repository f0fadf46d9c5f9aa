// Inverses of many 3 x 3 matrices by cofactors.
typedef struct {
    float m[9];
} mat3;

__kernel void invert3(__global const mat3 *in, __global mat3 *out, const int count)
{
    const int gid = get_global_id(0);
    if (gid < count) {
        mat3 a = in[gid];
        mat3 r;
        float c0 = a.m[4] * a.m[8] - a.m[5] * a.m[7];
        float c1 = a.m[5] * a.m[6] - a.m[3] * a.m[8];
        float c2 = a.m[3] * a.m[7] - a.m[4] * a.m[6];
        float inv = 1.0f / (a.m[0] * c0 + a.m[1] * c1 + a.m[2] * c2);
        r.m[0] = c0 * inv;
        r.m[1] = (a.m[2] * a.m[7] - a.m[1] * a.m[8]) * inv;
        r.m[2] = (a.m[1] * a.m[5] - a.m[2] * a.m[4]) * inv;
        r.m[3] = c1 * inv;
        r.m[4] = (a.m[0] * a.m[8] - a.m[2] * a.m[6]) * inv;
        r.m[5] = (a.m[2] * a.m[3] - a.m[0] * a.m[5]) * inv;
        r.m[6] = c2 * inv;
        r.m[7] = (a.m[1] * a.m[6] - a.m[0] * a.m[7]) * inv;
        r.m[8] = (a.m[0] * a.m[4] - a.m[1] * a.m[3]) * inv;
        out[gid] = r;
    }
}
