// Nine populations from a torus, offsets from tables, and walls that reflect.
#define Q 9
__constant int cx[Q] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
__constant int cy[Q] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
__constant float wt[Q] = {4.f/9, 1.f/9, 1.f/9, 1.f/9, 1.f/9, 1.f/36, 1.f/36, 1.f/36, 1.f/36};
__kernel void lattice_collisions(__global const float *fin, __global float *fout, __global const uchar *solid, int nx, int ny, float omega)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= nx || y >= ny) return;
    float f[Q];
    float rho = 0, ux = 0, uy = 0;
    for (int q = 0; q < Q; q++) {
        int xs = (x - cx[q] + nx) % nx, ys = (y - cy[q] + ny) % ny;
        f[q] = fin[q * nx * ny + ys * nx + xs];
        rho += f[q]; ux += cx[q] * f[q]; uy += cy[q] * f[q];
    }
    int id = y * nx + x;
    if (solid[id] > 200) {
        fout[0 * nx * ny + id] = f[0];
        for (int q = 1; q < Q; q++) fout[q * nx * ny + id] = f[q < 5 ? (q + 1) % 4 + 1 : (q - 3) % 4 + 5];
        return;
    }
    ux /= rho; uy /= rho;
    float u2 = 1.5f * (ux * ux + uy * uy);
    for (int q = 0; q < Q; q++) {
        float cu = 3.0f * (cx[q] * ux + cy[q] * uy);
        fout[q * nx * ny + id] = f[q] + omega * (rho * wt[q] * (1.0f + cu + 0.5f * cu * cu - u2) - f[q]);
    }
}
