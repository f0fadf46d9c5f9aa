/* Power from every angle: each group has one; its work-items have sensors. */
__kernel void steer(__global const float *signal, __global float *steered, float pitch)
{
    int angle = get_group_id(0);
    int sensor = get_local_id(0);
    int at = get_global_id(0);
    steered[at] = signal[sensor] * (1.0f + pitch * angle);
}

__kernel void add_sensors(__global const float *steered, __global float *sums)
{
    int angle = get_group_id(0);
    int sensor = get_local_id(0);
    float sum = 0;
    for (int k = 0; k < 16; k++)
        if (k >= sensor)
            sum += steered[angle * 16 + k];
    sums[angle * 16 + sensor] = sum;
}

__kernel void find_power(__global const float *sums, __global float *power)
{
    int angle = get_group_id(0);
    if (get_local_id(0) == 0) {
        float result = 0;
        for (int k = 0; k < 16; k++)
            result += sums[angle * 16 + k] * sums[angle * 16 + k];
        power[angle] = result;
    }
}
