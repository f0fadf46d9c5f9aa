// Energies of all pairs with a cut-off in a periodic box, coordinates as three arrays.
__kernel void lj_energy(__global const float *x, __global const float *y, __global const float *z,
                        __global float *energy, int n, float box, float rc2, float sigma2, float eps4)
{
    int i = get_global_id(0);
    if (i < n) {
        float e = 0.0f;
        for (int j = 0; j < n; j++) {
            if (j == i)
                continue;
            float dx = x[i] - x[j];
            float dy = y[i] - y[j];
            float dz = z[i] - z[j];
            dx -= box * rint(dx / box);
            dy -= box * rint(dy / box);
            dz -= box * rint(dz / box);
            float r2 = dx * dx + dy * dy + dz * dz;
            if (r2 < rc2) {
                float s2 = sigma2 / r2;
                float s6 = s2 * s2 * s2;
                e += eps4 * (s6 * s6 - s6);
            }
        }
        energy[i] = 0.5f * e;
    }
}
