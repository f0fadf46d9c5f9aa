// A star of radius four: planes in local memory, the column of a work-item in registers.
#define R 4
#define BX 32
#define BY 8

__constant float cf[R + 1] = {-2.5f, 0.8f, -0.2f, 0.03f, -0.002f};

__kernel __attribute__((reqd_work_group_size(BX, BY, 1))) void fd_march(__global float *output,
                                                                        __global const float *input, const int dimx,
                                                                        const int dimy, const int dimz)
{
    __local float tile[BY + 2 * R][BX + 2 * R];
    const int lx = get_local_id(0);
    const int ly = get_local_id(1);
    const int gx = get_global_id(0);
    const int gy = get_global_id(1);
    const int pitch = dimx + 2 * R;
    const int plane = pitch * (dimy + 2 * R);
    const int tx = lx + R;
    const int ty = ly + R;
    int in = (gy + R) * pitch + gx + R;
    float behind[R];
    float front[R];
    float current;
    for (int i = R - 1; i >= 0; i--) {
        behind[i] = input[in];
        in += plane;
    }
    current = input[in];
    int out = in;
    in += plane;
    for (int i = 0; i < R; i++) {
        front[i] = input[in];
        in += plane;
    }
    for (int iz = 0; iz < dimz; iz++) {
        if (iz > 0) {
            for (int i = R - 1; i > 0; i--)
                behind[i] = behind[i - 1];
            behind[0] = current;
            current = front[0];
            for (int i = 0; i < R - 1; i++)
                front[i] = front[i + 1];
            front[R - 1] = input[in];
            in += plane;
            out += plane;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (ly < R) {
            tile[ly][tx] = input[out - R * pitch];
            tile[ly + BY + R][tx] = input[out + BY * pitch];
        }
        if (lx < R) {
            tile[ty][lx] = input[out - R];
            tile[ty][lx + BX + R] = input[out + BX];
        }
        tile[ty][tx] = current;
        barrier(CLK_LOCAL_MEM_FENCE);
        float value = cf[0] * current;
        for (int i = 1; i <= R; i++)
            value += cf[i] * (front[i - 1] + behind[i - 1] + tile[ty - i][tx] + tile[ty + i][tx] + tile[ty][tx - i] +
                              tile[ty][tx + i]);
        output[out] = value;
    }
}
