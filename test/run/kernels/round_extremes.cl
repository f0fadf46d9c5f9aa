// Counters with a sign, a place beside the value, loads under a condition, cells that other cells name.
__kernel void round_extremes(__global const float *a, __global const int *at, __global float *b, __global int *p, int n,
                             int first)
{
    float most = -1000.0f, sum = 0.0f;
    int place = -1;
    for (int i = get_global_id(0) + first; i < n; i += get_global_size(0)) {
        if (a[i] > most) {
            most = a[i];
            place = i;
        }
        sum += (i & 1) != 0 ? a[at[i]] : 1.0f;
    }
    size_t j;
    for (j = get_local_id(0); j < (size_t)n; j += get_local_size(0))
        sum += a[at[j]];
    b[get_global_id(0)] = most + sum;
    p[get_global_id(0)] = place + (int)j;
}
