// Multipliers of a column and the update of what lies right of it.
__kernel void Fan1(__global float *m, __global const float *a, const int size, const int t)
{
    int globalId = get_global_id(0);
    if (globalId < size - 1 - t)
        *(m + size * (globalId + t + 1) + t) = *(a + size * (globalId + t + 1) + t) / *(a + size * t + t);
}

__kernel void Fan2(__global const float *m, __global float *a, __global float *b, const int size, const int t)
{
    int globalIdx = get_global_id(0);
    int globalIdy = get_global_id(1);
    if (globalIdx < size - 1 - t && globalIdy < size - t) {
        a[size * (globalIdx + 1 + t) + (globalIdy + t)] -=
            m[size * (globalIdx + 1 + t) + t] * a[size * t + (globalIdy + t)];
        if (globalIdy == 0)
            b[globalIdx + 1 + t] -= m[size * (globalIdx + 1 + t) + (globalIdy + t)] * b[t];
    }
}
