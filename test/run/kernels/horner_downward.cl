// A polynomial per cell, highest coefficient first, with a step of two in a second loop.
__kernel void horner_downward(__global const float *restrict coefficient, __global const float *restrict x,
                              __global float *restrict value, __global float *restrict even, int w, int h, int degree)
{
    int i = get_global_id(0);
    int j = get_global_id(1);
    if (i < w && j < h) {
        float sum = coefficient[j * (degree + 1) + degree];
        for (int k = degree - 1; k >= 0; k--)
            sum = sum * x[i] + coefficient[j * (degree + 1) + k];
        value[j * w + i] = sum;
        float alternate = 0.0f;
        for (int k = degree; k >= 0; k -= 2)
            alternate = alternate * x[i] + coefficient[j * (degree + 1) + k];
        even[j * w + i] = alternate;
    }
}
