// The four largest values of a row, by insertion.
#define TOPK 4

__kernel void topk(__global const float *x, __global float *val, __global int *idx, int rows, int cols)
{
    int r = get_global_id(0);
    if (r >= rows)
        return;
    float v[TOPK];
    int k[TOPK];
    for (int i = 0; i < TOPK; i++) {
        v[i] = -FLT_MAX;
        k[i] = -1;
    }
    for (int c = 0; c < cols; c++) {
        float cur = x[r * cols + c];
        if (cur > v[TOPK - 1]) {
            int p = TOPK - 1;
            while (p > 0 && cur > v[p - 1]) {
                v[p] = v[p - 1];
                k[p] = k[p - 1];
                p--;
            }
            v[p] = cur;
            k[p] = c;
        }
    }
    for (int i = 0; i < TOPK; i++) {
        val[r * TOPK + i] = v[i];
        idx[r * TOPK + i] = k[i];
    }
}
