// Normalization across five channels.
#define SIZE 5

__kernel void lrn_across(__global const float *in, __global float *out, int channels, int hw, float alpha, float beta, float k)
{
    int p = get_global_id(0);
    int c = get_global_id(1);
    if (p >= hw || c >= channels)
        return;
    float sum = 0.0f;
    for (int j = max(c - SIZE / 2, 0); j <= min(c + SIZE / 2, channels - 1); j++)
        sum += in[j * hw + p] * in[j * hw + p];
    out[c * hw + p] = in[c * hw + p] * pow(k + alpha * sum / SIZE, -beta);
}
