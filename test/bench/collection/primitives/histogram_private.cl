// Counts of every work-item as bytes in local memory, then sums per group.
#define BIN_SIZE 64
#define ITEMS 32

__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void histogram64(__global const uchar *data,
                                                                          __global uint *binResult)
{
    __local uchar sharedArray[64 * BIN_SIZE];
    size_t localId = get_local_id(0);
    size_t groupId = get_group_id(0);
    for (int i = 0; i < BIN_SIZE; ++i)
        sharedArray[localId * BIN_SIZE + i] = 0;
    for (int i = 0; i < ITEMS; ++i) {
        uint value = data[(groupId * ITEMS + i) * 64 + localId] >> 2;
        sharedArray[localId * BIN_SIZE + value]++;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    uint binCount = 0;
    for (int j = 0; j < 64; ++j)
        binCount += sharedArray[j * BIN_SIZE + localId];
    binResult[groupId * BIN_SIZE + localId] = binCount;
}
