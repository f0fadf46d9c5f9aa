// Weighted sums of a layer by a tree in local memory, and the adjustment of the weights.
#define WIDTH 16
#define HEIGHT 16
#define ETA 0.3f
#define MOMENTUM 0.3f

__kernel void layerforward(__global float *input, __global float *hidden_weights, __global float *partial_sum,
                           __local float *input_node, __local float *weight_matrix, int inputs, int hid)
{
    int by = get_group_id(1);
    int tx = get_local_id(0);
    int ty = get_local_id(1);
    int index = (hid + 1) * HEIGHT * by + (hid + 1) * ty + tx + 1 + (hid + 1);
    int index_in = HEIGHT * by + ty + 1;
    if (tx == 0)
        input_node[ty] = input[index_in];
    barrier(CLK_LOCAL_MEM_FENCE);
    weight_matrix[ty * WIDTH + tx] = hidden_weights[index];
    barrier(CLK_LOCAL_MEM_FENCE);
    weight_matrix[ty * WIDTH + tx] = weight_matrix[ty * WIDTH + tx] * input_node[ty];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 1; i <= HEIGHT; i = i * 2) {
        int power_two = i;
        if (ty % power_two == 0 && ty + power_two / 2 < HEIGHT && power_two > 1)
            weight_matrix[ty * WIDTH + tx] += weight_matrix[(ty + power_two / 2) * WIDTH + tx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (ty == 0)
        partial_sum[by * hid + tx] = weight_matrix[tx];
}

__kernel void adjust_weights(__global const float *delta, int hid, __global const float *ly, int inputs, __global float *w,
                             __global float *oldw)
{
    int tx = get_global_id(0) + 1;
    int ty = get_global_id(1) + 1;
    if (tx > hid || ty > inputs)
        return;
    int index = ty * (hid + 1) + tx;
    w[index] += ((ETA * delta[tx] * ly[ty]) + (MOMENTUM * oldw[index]));
    oldw[index] = ((ETA * delta[tx] * ly[ty]) + (MOMENTUM * oldw[index]));
}
