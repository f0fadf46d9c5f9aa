// Conditions on the data, one of them around a store.
__kernel void data_dependent_if(__global const float *a, __global float *b,
                                __global int *flags, int n)
{
    int i = get_global_id(0);
    if (i < n) {
        float v = a[i];
        if (v > 0.25f)
            b[i] = sqrt(v);
        else if (v > -0.25f)
            b[i] = v * v;
        flags[i] = v < 0.0f ? 1 : 0;
    }
}
