// Likelihoods of particles, and the search of the cumulated weights.
#define COUNT_ONES 69

__kernel void likelihood(__global const float *arrayX, __global const float *arrayY, __global const int *objxy,
                         __global const uchar *I, __global float *lik, int n, int dimX, int dimY, int frame)
{
    int i = get_global_id(0);
    if (i >= n)
        return;
    float sum = 0.0f;
    for (int y = 0; y < COUNT_ONES; y++) {
        int indX = convert_int_rte(arrayX[i]) + objxy[y * 2 + 1];
        int indY = convert_int_rte(arrayY[i]) + objxy[y * 2];
        int ind = abs(indX * dimY + indY);
        if (ind >= dimX * dimY)
            ind = 0;
        float v = I[ind];
        sum += ((v - 100.0f) * (v - 100.0f) - (v - 228.0f) * (v - 228.0f)) / 50.0f;
    }
    lik[i] = sum / (float)COUNT_ONES - 300.0f;
}

__kernel void find_index(__global const float *arrayX, __global const float *arrayY, __global const float *CDF,
                         __global const float *u, __global float *xj, __global float *yj, int n)
{
    int i = get_global_id(0);
    if (i < n) {
        int index = -1;
        for (int x = 0; x < n; x++)
            if (CDF[x] >= u[i]) {
                index = x;
                break;
            }
        if (index == -1)
            index = n - 1;
        xj[i] = arrayX[index];
        yj[i] = arrayY[index];
    }
}
