// A tiled product for any size: tiles at the border are filled with zeros.
#define TS 4
__kernel void merged_matmul(__global const float *a, __global const float *b, __global float *c,
                            int rows, int columns, int depth)
{
    __local float as[TS][TS];
    __local float bs[TS][TS];
    const int lx = get_local_id(0), ly = get_local_id(1);
    const int x = get_group_id(0) * TS + lx;
    const int y = get_group_id(1) * TS + ly;
    float sum = 0.0f;
    for (int t = 0; t < depth; t += TS) {
        as[ly][lx] = y < rows && t + lx < depth ? a[y * depth + t + lx] : 0.0f;
        bs[ly][lx] = t + ly < depth && x < columns ? b[(t + ly) * columns + x] : 0.0f;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < TS; k++)
            sum += as[ly][k] * bs[k][lx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (y < rows && x < columns)
        c[y * columns + x] = sum;
}
