// An array of structs with members of several types and padding.
typedef struct {
    float4 position;
    int kind;
    uchar tag[3];
    float mass;
} Particle;

__kernel void struct_members(__global Particle *p, __global float *energy, int n)
{
    int i = get_global_id(0);
    if (i >= n)
        return;
    p[i].position.x += p[i].mass;
    p[i].tag[1] = (uchar)(p[i].kind & 255);
    energy[i] = p[i].mass * p[i].position.y;
}
