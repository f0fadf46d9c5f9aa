// Products with numbers of four bits in structs.
typedef struct { float d; uchar qs[16]; } block_q4;
__kernel void packed_quarters(__global const block_q4 *x, __global const float *v, __global float *y, int rows, int nb)
{
    int r = get_global_id(0);
    if (r >= rows) return;
    float sum = 0;
    for (int b = 0; b < nb; b++) {
        float s = 0;
        for (int j = 0; j < 16; j++) {
            uchar q = x[r * nb + b].qs[j];
            s += ((q & 15) - 8) * v[b * 32 + j] + ((q >> 4) - 8) * v[b * 32 + j + 16];
        }
        sum += s * x[r * nb + b].d;
    }
    y[r] = sum;
}
