// Rows of a matrix in CSR form, each reduced in several ways at once.
__kernel void shared_rows(__global const int *row_ptr, __global const int *col,
                          __global const short *val, __global const int *x, __global int *sum,
                          __global int *least, __global uint *bits, __global long *product,
                          __global float *mean, int rows)
{
    int i = get_global_id(0);
    if (i >= rows)
        return;
    int s = 100 * i, low = 32767, count = 0;
    uint any = 0, all = 0xffffu, odd = 1u;
    long p = 1;
    float total = 0.5f;
    for (int k = row_ptr[i]; k < row_ptr[i + 1]; k++) {
        int v = val[k] * x[col[k]];
        if (v == 3)
            continue;
        s += v;
        low = min(v, low);
        any |= (uint)v;
        all &= (uint)v;
        odd ^= (uint)v << 1;
        p = p * (2 * (v & 3) + 1);
        if (v > 0)
            count++;
        total += v;
    }
    sum[i] = s + sum[i];
    least[i] = low;
    bits[i] = any ^ all ^ odd;
    product[i] = p + count;
    mean[i] = total;
}
