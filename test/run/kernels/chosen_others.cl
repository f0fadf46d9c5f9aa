// Vectors that lanes hold by component, changed under a condition by some lanes only.
__kernel void chosen_others(__global const float4 *x, __global const int *m, __global float4 *o, int n)
{
    int i = get_global_id(0);
    if (i >= n)
        return;
    float4 f = (float4)(0.0f), last = f;
    for (int j = 0; j < n; j++) {
        if (j == i)
            continue;
        float4 d = x[j] - x[i];
        if (m[j] == 123456) {
            float4 half_d = d * 0.5f;
            f += half_d;
            last.xy = d.xy;
        } else
            f = f.yzwx - d;
    }
    o[i] = f + last;
}
