// Fluxes of an unstructured mesh: four neighbours per element, five variables as planes.
#define NNB 4
#define GAMMA 1.4f

__kernel void compute_flux(__global const int *surrounding, __global const float *normals,
                           __global const float *variables, __global float *fluxes, int nelr)
{
    const int i = get_global_id(0);
    if (i >= nelr)
        return;
    float d_i = variables[i + 0 * nelr];
    float mx_i = variables[i + 1 * nelr];
    float my_i = variables[i + 2 * nelr];
    float e_i = variables[i + 3 * nelr];
    float vx_i = mx_i / d_i, vy_i = my_i / d_i;
    float p_i = (GAMMA - 1.0f) * (e_i - 0.5f * d_i * (vx_i * vx_i + vy_i * vy_i));
    float fd = 0.0f, fx = 0.0f, fy = 0.0f, fe = 0.0f;
    for (int j = 0; j < NNB; j++) {
        int nb = surrounding[i + j * nelr];
        float nx = normals[i + (j + 0 * NNB) * nelr];
        float ny = normals[i + (j + 1 * NNB) * nelr];
        if (nb >= 0) {
            float d = variables[nb + 0 * nelr];
            float mx = variables[nb + 1 * nelr];
            float my = variables[nb + 2 * nelr];
            float e = variables[nb + 3 * nelr];
            float vx = mx / d, vy = my / d;
            float p = (GAMMA - 1.0f) * (e - 0.5f * d * (vx * vx + vy * vy));
            fd += 0.5f * nx * (mx + mx_i) + 0.5f * ny * (my + my_i);
            fx += 0.5f * nx * (vx * mx + p + vx_i * mx_i + p_i) + 0.5f * ny * (vy * mx + vy_i * mx_i);
            fy += 0.5f * nx * (vx * my + vx_i * my_i) + 0.5f * ny * (vy * my + p + vy_i * my_i + p_i);
            fe += 0.5f * nx * (vx * (e + p) + vx_i * (e_i + p_i)) + 0.5f * ny * (vy * (e + p) + vy_i * (e_i + p_i));
        } else {
            fx += nx * p_i;
            fy += ny * p_i;
        }
    }
    fluxes[i + 0 * nelr] = fd;
    fluxes[i + 1 * nelr] = fx;
    fluxes[i + 2 * nelr] = fy;
    fluxes[i + 3 * nelr] = fe;
}
