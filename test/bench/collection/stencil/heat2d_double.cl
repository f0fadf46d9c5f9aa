// Explicit heat equation with variable conductivity in double.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

__kernel void heat(__global const double *u, __global const double *kappa, __global double *v, const int nx,
                   const int ny, const double dt, const double rdx2, const double rdy2)
{
    const size_t i = get_global_id(0);
    const size_t j = get_global_id(1);
    if (i > 0 && i < nx - 1 && j > 0 && j < ny - 1) {
        const size_t c = j * nx + i;
        const double fw = 0.5 * (kappa[c] + kappa[c - 1]) * (u[c] - u[c - 1]);
        const double fe = 0.5 * (kappa[c] + kappa[c + 1]) * (u[c + 1] - u[c]);
        const double fs = 0.5 * (kappa[c] + kappa[c - nx]) * (u[c] - u[c - nx]);
        const double fn = 0.5 * (kappa[c] + kappa[c + nx]) * (u[c + nx] - u[c]);
        v[c] = u[c] + dt * ((fe - fw) * rdx2 + (fn - fs) * rdy2);
    }
}
