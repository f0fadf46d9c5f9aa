// Ids computed from groups, as kernels do that have been written for CUDA.
#define BLOCK_X get_local_size(0)

int index_of(int group, int size, int item)
{
    return group * size + item;
}

// Rows are read by columns of work-items.
__kernel void row_sums(__global const float *A, __global float *sums, int rows, int columns)
{
    int bx = get_group_id(0);
    int tx = get_local_id(0);
    int row = bx * BLOCK_X + tx;
    if (row >= rows)
        return;
    for (int j = 0; j < columns; j++)
        sums[row] += A[row * columns + j];
}

__kernel void product(__global const float *A, __global const float *B, __global float *C, int n)
{
    const int bx = get_group_id(0), by = get_group_id(1);
    int tx, ty;
    tx = get_local_id(0);
    ty = get_local_id(1);
    const int x = mad24(bx, (int)get_local_size(0), tx);
    const int y = mul24(by, (int)get_local_size(1)) + ty;
    if (x < n && y < n) {
        float sum = 0.0f;
        for (int k = 0; k < n; k++)
            sum += A[y * n + k] * B[k * n + x];
        C[y * n + x] = sum;
    }
}

// The start of a group by itself, and a function that adds.
__kernel void scaled(__global float *to, __global const float *from, int n, float factor)
{
    unsigned int first = get_group_id(0) * get_local_size(0);
    unsigned int item = get_local_id(0);
    int other = index_of(get_group_id(0), get_local_size(0), get_local_id(0));
    if (first + item < n)
        for (int k = 0; k < 24; k++)
            to[k * n + other] = factor * from[k * n + first + item];
}

// What needs the ids within a group keeps them.
__kernel void by_item(__global int *to, __global const int *from, int n)
{
    int tx = get_local_id(0);
    int i = get_group_id(0) * get_local_size(0) + tx;
    if (i < n)
        for (int k = 0; k < 8; k++)
            to[k * n + i] = from[k * n + i] * tx;
}
