// Pointers that move while they are used: nothing may take the place of `*q++` and leave
// out the step, and no step may run without the others.
__kernel void walking_store(__global float *o, __global const float *a, int n)
{
    int i = get_global_id(0);
    __global const float *p = a + i;
    __global float *q = o + i * n;
    for (int k = 0; k < n; k++) {
        *q++ = *p * 2.0f;
        p += n;
    }
}
