// One step of a D2Q9 lattice: pull, collide, write; the directions are planes of one buffer.
__constant int ex[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
__constant int ey[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
__constant float wt[9] = {0.44444445f, 0.11111111f, 0.11111111f, 0.11111111f, 0.11111111f,
                          0.027777778f, 0.027777778f, 0.027777778f, 0.027777778f};

__kernel void lbm(__global const float *f, __global float *fnew, __global const int *solid, int nx, int ny, float omega)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    if (x >= nx || y >= ny)
        return;
    int n = nx * ny;
    float fi[9];
    float rho = 0.0f, ux = 0.0f, uy = 0.0f;
    for (int k = 0; k < 9; k++) {
        int xs = (x - ex[k] + nx) % nx;
        int ys = (y - ey[k] + ny) % ny;
        fi[k] = f[k * n + ys * nx + xs];
        rho += fi[k];
        ux += fi[k] * ex[k];
        uy += fi[k] * ey[k];
    }
    ux /= rho;
    uy /= rho;
    if (solid[y * nx + x]) {
        ux = 0.0f;
        uy = 0.0f;
    }
    float usq = 1.5f * (ux * ux + uy * uy);
    for (int k = 0; k < 9; k++) {
        float cu = 3.0f * (ex[k] * ux + ey[k] * uy);
        float feq = wt[k] * rho * (1.0f + cu + 0.5f * cu * cu - usq);
        fnew[k * n + y * nx + x] = fi[k] + omega * (feq - fi[k]);
    }
}
