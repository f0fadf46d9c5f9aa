// Transforms of blocks of 8 x 8, forwards or backwards as an argument says.
#define C_a 1.387039845322148f
#define C_b 1.306562964876377f
__kernel void transformed_blocks(__global float *out, __global const float *in, __global const float *c8, uint width, uint inverse)
{
    uint gx = get_global_id(0), gy = get_global_id(1);
    uint bx = gx / 8, by = gy / 8, i = gx % 8, j = gy % 8;
    float acc = 0.0f;
    for (uint k = 0; k < 8; k++) {
        float t = 0.0f;
        for (uint l = 0; l < 8; l++) t += (inverse ? c8[l * 8 + i] : c8[i * 8 + l]) * in[(by * 8 + k) * width + bx * 8 + l];
        acc += t * (inverse ? c8[k * 8 + j] : c8[j * 8 + k]);
    }
    out[gy * width + gx] = acc;
}
