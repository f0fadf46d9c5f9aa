// Rotary positions, pairs of neighbours.
__kernel void rope(__global const float *x, __global const int *pos, __global float *y, int n_dims, int heads, int seq,
                   float theta_scale)
{
    int i = get_global_id(0);
    int h = get_global_id(1);
    int t = get_global_id(2);
    if (2 * i >= n_dims || h >= heads || t >= seq)
        return;
    float theta = pos[t] * pow(theta_scale, (float)i);
    float c = cos(theta), s = sin(theta);
    int o = (t * heads + h) * n_dims + 2 * i;
    float x0 = x[o], x1 = x[o + 1];
    y[o] = x0 * c - x1 * s;
    y[o + 1] = x0 * s + x1 * c;
}
