// A symmetric update in place: both triangles change together, the diagonal once.
__kernel void symmetric_rank_one(__global float *restrict c, __global const float *restrict x, float alpha, int n)
{
    int j = get_global_id(0);
    int i = get_global_id(1);
    if (i < n && j <= i) {
        float change = alpha * x[i] * x[j];
        c[i * n + j] += change;
        if (j < i)
            c[j * n + i] += change;
    }
}
