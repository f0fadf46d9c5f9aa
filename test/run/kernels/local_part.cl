// A pointer to local memory and one to global memory, moved to the parts of a group.
__kernel void local_part(__global const float *a, __global float *b, __local float *part)
{
    const int l = get_local_id(0);
    part += get_local_size(0);
    a += get_group_id(0) * get_local_size(0);
    part[l] = a[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    b[get_global_id(0)] = part[get_local_size(0) - 1 - l] * 2.0f;
}
