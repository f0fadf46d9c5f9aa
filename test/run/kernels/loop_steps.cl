// Steps of three, a geometric step, and several declarators.
__kernel void loop_steps(__global const float *a, __global float *b, int n, int m)
{
    int i = get_global_id(0);
    float s = 0.0f, t = 1.0f;
    for (int k = 1; k < m; k += 3)
        s += a[k * n + i];
    for (int d = 1; d <= m; d *= 2)
        t *= 1.0f + a[(d - 1) * n + i];
    b[i] = s + t;
}
