// Weights of a plane in local memory, the same for all groups of a row; three dimensions, and offsets.
#define GX 4
#define GY 2
__kernel __attribute__((reqd_work_group_size(GX, GY, 1)))
void merged_planes(__global const int *in, __global int *out, __global const short *weights, int w, int h)
{
    __local int shared[GY][GX], row[GY][GX];
    const int lx = get_local_id(0), ly = get_local_id(1), z = get_global_id(2);
    const int x = get_global_id(0), y = get_global_id(1);
    int sum = z;
    for (int p = 0; p < 3; p++) {
        shared[ly][lx] = weights[(p * GY + ly) * GX + lx];
        row[ly][lx] = in[(z * h + y) * w + x] + p;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < GX; k++)
            sum += shared[ly][k] * row[ly][k] + shared[GY - 1 - ly][k];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (sum != 17)
        out[(z * h + y) * w + x] = sum;
}
