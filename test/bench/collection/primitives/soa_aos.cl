// Structures of arrays to arrays of structures.
typedef struct {
    float x, y, z;
    int id;
} Particle;

__kernel void to_aos(__global const float *x, __global const float *y, __global const float *z, __global const int *id,
                     __global Particle *p, int n)
{
    int i = get_global_id(0);
    if (i >= n)
        return;
    p[i].x = x[i];
    p[i].y = y[i];
    p[i].z = z[i];
    p[i].id = id[i];
}

__kernel void advance(__global Particle *p, __global const float *vx, __global const float *vy, float dt, int n)
{
    int i = get_global_id(0);
    if (i < n) {
        p[i].x += dt * vx[i];
        p[i].y += dt * vy[i];
        if (p[i].x > 1.0f)
            p[i].x -= 1.0f;
    }
}
