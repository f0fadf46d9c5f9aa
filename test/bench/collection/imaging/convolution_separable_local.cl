// Row pass of a separable convolution: results and halo of a group in local memory.
#define KERNEL_RADIUS 8
#define KERNEL_LENGTH (2 * KERNEL_RADIUS + 1)
#define ROWS_X 16
#define ROWS_Y 4
#define ROWS_RESULT_STEPS 8
#define ROWS_HALO_STEPS 1

__kernel __attribute__((reqd_work_group_size(ROWS_X, ROWS_Y, 1))) void
convolutionRows(__global float *d_Dst, __global float *d_Src, __constant float *c_Kernel, int imageW, int imageH, int pitch)
{
    __local float l_Data[ROWS_Y][(ROWS_RESULT_STEPS + 2 * ROWS_HALO_STEPS) * ROWS_X];
    const int baseX = (get_group_id(0) * ROWS_RESULT_STEPS - ROWS_HALO_STEPS) * ROWS_X + get_local_id(0);
    const int baseY = get_group_id(1) * ROWS_Y + get_local_id(1);
    d_Src += baseY * pitch + baseX;
    d_Dst += baseY * pitch + baseX;

    for (int i = ROWS_HALO_STEPS; i < ROWS_HALO_STEPS + ROWS_RESULT_STEPS; i++)
        l_Data[get_local_id(1)][get_local_id(0) + i * ROWS_X] = d_Src[i * ROWS_X];
    for (int i = 0; i < ROWS_HALO_STEPS; i++)
        l_Data[get_local_id(1)][get_local_id(0) + i * ROWS_X] = (baseX + i * ROWS_X >= 0) ? d_Src[i * ROWS_X] : 0;
    for (int i = ROWS_HALO_STEPS + ROWS_RESULT_STEPS; i < ROWS_HALO_STEPS + ROWS_RESULT_STEPS + ROWS_HALO_STEPS; i++)
        l_Data[get_local_id(1)][get_local_id(0) + i * ROWS_X] = (baseX + i * ROWS_X < imageW) ? d_Src[i * ROWS_X] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);

    for (int i = ROWS_HALO_STEPS; i < ROWS_HALO_STEPS + ROWS_RESULT_STEPS; i++) {
        float sum = 0;
        for (int j = -KERNEL_RADIUS; j <= KERNEL_RADIUS; j++)
            sum += c_Kernel[KERNEL_RADIUS - j] * l_Data[get_local_id(1)][get_local_id(0) + i * ROWS_X + j];
        d_Dst[i * ROWS_X] = sum;
    }
}
