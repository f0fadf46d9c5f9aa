// Fluid on a torus: every cell pulls nine populations from its neighbours, and relaxes them.
__kernel void lattice_streaming(__global const float *restrict before, __global float *restrict after, int w, int h,
                                float rate)
{
    const int stepX[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
    const int stepY[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
    const float share[9] = {4.0f / 9,  1.0f / 9,  1.0f / 9,  1.0f / 9, 1.0f / 9,
                            1.0f / 36, 1.0f / 36, 1.0f / 36, 1.0f / 36};
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= w || y >= h)
        return;
    float pulled[9], mass = 0.0f, flowX = 0.0f, flowY = 0.0f;
    for (int d = 0; d < 9; d++) {
        int fromX = (x - stepX[d] + w) % w, fromY = (y - stepY[d] + h) % h;
        pulled[d] = before[(d * h + fromY) * w + fromX];
        mass += pulled[d];
        flowX += pulled[d] * stepX[d];
        flowY += pulled[d] * stepY[d];
    }
    flowX /= mass;
    flowY /= mass;
    for (int d = 0; d < 9; d++) {
        float along = stepX[d] * flowX + stepY[d] * flowY;
        float rest = share[d] * mass * (1.0f + 3.0f * along + 4.5f * along * along -
                                        1.5f * (flowX * flowX + flowY * flowY));
        after[(d * h + y) * w + x] = pulled[d] + rate * (rest - pulled[d]);
    }
}
