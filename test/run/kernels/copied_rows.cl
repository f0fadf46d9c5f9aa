// Functions that compute places, and pointers moved within the expression that reads.
typedef float value_t;

inline int row_of(int group, int size, int item)
{
    return group * size + item;
}

inline int place(int row, int column, int pitch)
{
    return (row + 1) * (pitch + 2) + column + 1;
}

__kernel void copied_rows(__global value_t *to, int to_start, int to_pitch, __global const value_t *from,
                          int from_start, int from_pitch, int width, int height)
{
    int group = get_group_id(0);
    int item = get_local_id(0);
    int items = get_global_size(0);
    int size = get_local_size(0);
    int row = row_of(group, size, item);
    if (row < height) {
        for (int c = 0; c < width; c++)
            (to + to_start)[place(row, c, to_pitch)] = (from + from_start)[place(row, c, from_pitch)];
    }
}
