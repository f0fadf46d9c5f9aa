// Seven points of a volume; a work-item walks along z.
__kernel void stencil(float c0, float c1, __global float *A0, __global float *Anext, int nx, int ny, int nz)
{
    int i = get_global_id(0) + 1;
    int j = get_global_id(1) + 1;
    if (i < nx - 1 && j < ny - 1) {
        for (int k = 1; k < nz - 1; k++)
            Anext[i + nx * (j + ny * k)] =
                c1 * (A0[i + nx * (j + ny * (k + 1))] + A0[i + nx * (j + ny * (k - 1))] +
                      A0[i + nx * (j + 1 + ny * k)] + A0[i + nx * (j - 1 + ny * k)] + A0[i + 1 + nx * (j + ny * k)] +
                      A0[i - 1 + nx * (j + ny * k)]) -
                c0 * A0[i + nx * (j + ny * k)];
    }
}
