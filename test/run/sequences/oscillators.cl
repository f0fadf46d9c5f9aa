/* Springs, each on its own: speeds, then places, step by step. */
__kernel void pull(__global float *v, __global const float *x, float strength)
{
    int i = get_global_id(0);
    v[i] -= x[i] * strength;
}

__kernel void move(__global float *x, __global const float *v, __global float *path, float time,
                   int row)
{
    int i = get_global_id(0);
    x[i] += v[i] * time;
    path[row * get_global_size(0) + i] = x[i];
}
