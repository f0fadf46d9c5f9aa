// A matrix times a vector, of which the group keeps a tile; items behind the last row only copy.
#define T 16
__kernel void row_tiles(__global const float *matrix, __global const float *vector, __global float *result, int rows,
                        int columns)
{
    __local float tile[T];
    const int row = get_global_id(0), l = get_local_id(0);
    float sum = 0.0f;
    for (int t = 0; t < columns; t += T) {
        tile[l] = t + l < columns ? vector[t + l] : 0.0f;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (row < rows) {
            const int end = min(T, columns - t);
            for (int k = 0; k < end; k++)
                sum += matrix[row * columns + t + k] * tile[k];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (row < rows)
        result[row] = sum;
}
