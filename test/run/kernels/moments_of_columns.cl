// Several kernels of a file that accumulate into the same arrays, with a choice at the end.
typedef float DATA;

__kernel void means(__global DATA *mean, __global DATA *table, DATA count, int columns, int rows)
{
    int j = get_global_id(0);
    if (j < columns) {
        mean[j] = 0.0;
        int i;
        for (i = 0; i < rows; i++) {
            mean[j] += table[i * columns + j];
        }
        mean[j] /= (DATA)count;
    }
}

__kernel void deviations(__global DATA *mean, __global DATA *deviation, __global DATA *table, DATA count, DATA least,
                         int columns, int rows)
{
    int j = get_global_id(0);
    if (j < columns) {
        deviation[j] = 0.0;
        int i;
        for (i = 0; i < rows; i++) {
            deviation[j] += (table[i * columns + j] - mean[j]) * (table[i * columns + j] - mean[j]);
        }
        deviation[j] = sqrt(deviation[j] / count);
        if (deviation[j] <= least) {
            deviation[j] = 1.0;
        }
    }
}

__kernel void products(__global DATA *pairs, __global DATA *table, int columns, int rows)
{
    int j1 = get_global_id(0);
    int i, j2;
    if (j1 < columns) {
        for (j2 = j1; j2 < columns; j2++) {
            pairs[j1 * columns + j2] = 0.0;
            for (i = 0; i < rows; i++) {
                pairs[j1 * columns + j2] += table[i * columns + j1] * table[i * columns + j2];
            }
            pairs[j2 * columns + j1] = pairs[j1 * columns + j2];
        }
    }
}
