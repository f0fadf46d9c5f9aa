// A block of rows and columns per work-item, with the components of vectors summed by name.
__kernel void columns_in_fours(__global const float4 *A, __global const float4 *B, __global float4 *C, uint depth,
                               uint width)
{
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    float4 upper = (float4)(0);
    float4 lower = (float4)(0);
    width /= 4;
    for (int k = 0; k < depth; k = k + 2) {
        float4 a0 = A[k / 2 + at.y * (depth / 2)];
        float4 b0 = B[at.x + k * width];
        float4 b1 = B[at.x + (k + 1) * width];
        upper.x += a0.x * b0.x + a0.y * b1.x;
        upper.y += a0.x * b0.y + a0.y * b1.y;
        upper.z += a0.x * b0.z + a0.y * b1.z;
        upper.w += a0.x * b0.w + a0.y * b1.w;
        lower.x += a0.z * b0.x + a0.w * b1.x;
        lower.y += a0.z * b0.y + a0.w * b1.y;
        lower.z += a0.z * b0.z + a0.w * b1.z;
        lower.w += a0.z * b0.w + a0.w * b1.w;
    }
    C[at.x + (at.y << 1) * width] = upper;
    C[at.x + ((at.y << 1) + 1) * width] = lower;
}
