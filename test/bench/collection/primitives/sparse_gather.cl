// Gather by an index, several columns of a table.
__kernel void gather_rows(__global const float *table, __global const int *index, __global float *out, int n, int cols)
{
    int gid = get_global_id(0);
    if (gid >= n)
        return;
    for (int c = 0; c < cols; c++)
        out[gid * cols + c] = table[index[gid] * cols + c];
}
