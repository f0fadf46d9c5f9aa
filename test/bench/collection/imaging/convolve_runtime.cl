// Any mask with a runtime radius, float4 pixels, clamped.
__kernel void convolve(__global const float4 *input, __global float4 *output, const uint columns, const uint rows,
                       __constant float *filter, const uint kw, const uint kh)
{
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= columns || y >= rows)
        return;
    const int mx = kw / 2, my = kh / 2;
    float4 sum = (float4)0.0f;
    int f = 0;
    for (int j = -my; j <= my; j++)
        for (int i = -mx; i <= mx; i++) {
            int cx = clamp(x + i, 0, (int)columns - 1);
            int cy = clamp(y + j, 0, (int)rows - 1);
            sum += filter[f++] * input[cy * columns + cx];
        }
    output[y * columns + x] = sum;
}
