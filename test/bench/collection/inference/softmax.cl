// Softmax of rows: a row per work-item.
__kernel void softmax(__global const float *input, __global float *output, int n, int batch, float temp)
{
    int b = get_global_id(0);
    if (b >= batch)
        return;
    float sum = 0.f;
    float largest = -INFINITY;
    for (int i = 0; i < n; ++i) {
        float val = input[b * n + i];
        largest = (val > largest) ? val : largest;
    }
    for (int i = 0; i < n; ++i) {
        float e = exp(input[b * n + i] / temp - largest / temp);
        sum += e;
        output[b * n + i] = e;
    }
    for (int i = 0; i < n; ++i)
        output[b * n + i] /= sum;
}
