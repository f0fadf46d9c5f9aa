// Structs that hold arrays: blocks of quantized numbers, particles, tables.
#define QK 32
typedef struct { ushort d; char qs[QK]; } block_q8;
typedef struct { ushort d; uchar qs[QK / 2]; } block_q4;
typedef struct { float pos[3]; float mass; } particle;
typedef struct { int id; struct { short lo, hi[2]; } range[2]; } entry;

__kernel void q8_rows(__global const block_q8 *w, __global const float *x, __global float *dst, const int rows,
                      const int nb, const int nc)
{
    const int r = get_global_id(0);
    if (r >= rows)
        return;
    for (int c = 0; c < nc; ++c) {
        float sum = 0.0f;
        for (int b = 0; b < nb; ++b) {
            __global const block_q8 *blk = w + r * nb + b;
            const float d = blk->d * 0.125f;
            float s = 0.0f;
            for (int k = 0; k < QK; ++k)
                s += blk->qs[k] * x[(c * nb + b) * QK + k];
            sum += d * s;
        }
        dst[c * rows + r] = sum;
    }
}

__kernel void q4_rows(__global const block_q4 *w, __global const float *x, __global float *dst, const int rows,
                      const int nb)
{
    const int r = get_global_id(0);
    if (r >= rows)
        return;
    float sum = 0.0f;
    __global const block_q4 *row = w + r * nb;
    for (int b = 0; b < nb; ++b, ++row) {
        __global const uchar *q = row->qs;
        float s = 0.0f;
        for (int k = 0; k < QK / 2; ++k) {
            s += (int)((q[k] & 15) - 8) * x[b * QK + k];
            s += (int)((q[k] >> 4) - 8) * x[b * QK + k + QK / 2];
        }
        sum += row->d * s;
    }
    dst[r] = sum;
}

__kernel void quantize(__global const float *x, __global block_q8 *w, const int blocks)
{
    const int b = get_global_id(0);
    if (b >= blocks)
        return;
    float most = 0.0f;
    for (int k = 0; k < QK; k++)
        most = fmax(most, fabs(x[b * QK + k]));
    w[b].d = (ushort)(most * 16.0f);
    for (int k = 0; k < QK; k++)
        w[b].qs[k] = (char)(most > 0.0f ? x[b * QK + k] / most * 127.0f : 0.0f);
}

__kernel void pull(__global const particle *all, __global float *acc, const int n)
{
    const int i = get_global_id(0);
    if (i >= n)
        return;
    float a[3] = {0.0f, 0.0f, 0.0f};
    for (int j = 0; j < n; j++) {
        float d2 = 0.01f;
        for (int c = 0; c < 3; c++) {
            const float d = all[j].pos[c] - all[i].pos[c];
            d2 += d * d;
        }
        for (int c = 0; c < 3; c++)
            a[c] += all[j].mass * (all[j].pos[c] - all[i].pos[c]) / d2;
    }
    for (int c = 0; c < 3; c++)
        acc[3 * i + c] = a[c];
}

__kernel void entries(__global entry *e, __global int *sum, const int n)
{
    const int i = get_global_id(0);
    if (i >= n)
        return;
    int s = e[i].id;
    for (int r = 0; r < 2; r++)
        for (int h = 0; h < 2; h++)
            s += e[i].range[r].hi[h] - e[i].range[r].lo;
    e[i].range[1].hi[0] = (short)s;
    sum[i] = s;
}
