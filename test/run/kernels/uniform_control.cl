// Loops and branches that data ends or chooses, alike for neighbours or iterations.
__kernel void bags(__global const float *restrict table, __global const int *restrict ids,
                   __global const int *restrict off, __global const float *restrict wts, __global float *restrict out,
                   int dim, int bags)
{
    int d = get_global_id(0), b = get_global_id(1);
    if (d >= dim || b >= bags)
        return;
    int beg = off[b], end = off[b + 1];
    float s = 0.0f, tot = 0.0f;
    for (int k = beg; k < end; k++) {
        float w = wts[k];
        if (w <= 0.0f)
            continue;
        s += w * table[ids[k] * dim + d];
        tot += w;
    }
    out[b * dim + d] = tot > 0.0f ? s / tot : 0.0f;
}

__kernel void sparse_rows(__global const int *restrict rp, __global const int *restrict ci,
                          __global const float *restrict val, __global const float *restrict B,
                          __global float *restrict C, int rows, int nv)
{
    int r = get_global_id(0);
    if (r >= rows)
        return;
    for (int j = 0; j < nv; j++) {
        float s = 0;
        for (int k = rp[r]; k < rp[r + 1]; k++)
            s += val[k] * B[ci[k] * nv + j];
        C[r * nv + j] = s;
    }
}

__kernel void strided_windows(__global const float *restrict x, __global const float *restrict w,
                              __global float *restrict y, int c, int h, int wd, int oh, int ow, int oc, int stride,
                              int pad)
{
    int px = get_global_id(0), py = get_global_id(1);
    if (px >= ow || py >= oh)
        return;
    for (int o = 0; o < oc; o++) {
        float s = 0;
        for (int i = 0; i < c; i++)
            for (int ky = 0; ky < 3; ky++) {
                int iy = py * stride - pad + ky;
                if (iy < 0 || iy >= h)
                    continue;
                for (int kx = 0; kx < 3; kx++) {
                    int ix = px * stride - pad + kx;
                    if (ix < 0 || ix >= wd)
                        continue;
                    s += x[(i * h + iy) * wd + ix] * w[((o * c + i) * 3 + ky) * 3 + kx];
                }
            }
        y[(o * oh + py) * ow + px] = s;
    }
}

__kernel void chosen(__global const float *restrict a, __global const int *restrict p, __global float *restrict r,
                     __global int *restrict q, int n, int m)
{
    int i = get_global_id(0), j = get_global_id(1);
    if (i >= n || j >= m)
        return;
    float s = 0.0f, high = -1000.0f;
    int count = 0, at = 0;
    uint left = (uint)p[j] & 15;
    while (left > 0) {
        float v = a[at * n + i];
        int next = p[(j + at) % m] & 3;
        if (next == 0)
            break;
        if (next > 1) {
            const float t = v * 0.5f + next;
            s += t;
            if (t > high) {
                high = t;
                count++;
            }
        } else {
            float u = v - s;
            s = u * u;
        }
        at = (at + next) % m;
        left--;
    }
    do {
        s += at;
        at -= 2;
    } while (at > 0);
    r[j * n + i] = s + high;
    q[j * n + i] = count;
}

__kernel void apart(__global const float *restrict a, __global const int *restrict p, __global float *restrict r, int n,
                    int m)
{
    int i = get_global_id(0), j = get_global_id(1);
    if (i >= n || j >= m)
        return;
    float s = 0.0f;
    for (int k = 0; k < (p[j] & 7); k++) {
        float one = a[k * n + i];
        int place = (p[k % m] & 1) * n + i;
        s += one * 1.5f + a[place];
        for (int l = 0; l < (p[i % m] & 3); l++)
            s += a[l];
    }
    r[j * n + i] = s;
}

__kernel void scopes(__global const float *restrict x, __global const int *restrict p, __global float *restrict r, int n,
                     int m)
{
    int i = get_global_id(0), j = get_global_id(1);
    if (i >= n || j >= m)
        return;
    float s = 0;
    for (int k = 0; k < (p[j] & 7); k++) {
        { int t = p[k] & 3; s += x[t * n + i]; }
        { float t = p[k + 1] * 0.5f; s *= t; }
        for (int a = 0, b = (p[j] & 7); a < b; a++, b--) s += x[a * n + i] * b;
        for (int a = 1, b = (p[j] & 7); a < b; a++, b--) s -= x[b * n + i] * a;
        { float t = x[k * n + i]; s += t; { float t = x[i]; s -= t; } }
    }
    r[j * n + i] = s;
}

// What every work-item has to do by itself.
__kernel void counted(__global const float *restrict x, __global const int *restrict p, __global int *count,
                      __global float *restrict r, int n)
{
    int i = get_global_id(0);
    if (i >= n)
        return;
    float s = 0;
    for (int k = 0; k < (p[0] & 7); k++) {
        s += x[k * n + i];
        if (p[k + 1] > 0)
            atomic_inc(&count[k]);
        atomic_add(&count[8], k);
    }
    r[i] = s;
}
