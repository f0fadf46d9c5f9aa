// Independent cells with a stiff system of three variables, explicit steps.
__kernel void integrate(__global float *state, __global const float *params, const int cells, const int steps, const float dt)
{
    const int c = get_global_id(0);
    if (c >= cells)
        return;
    float v = state[c], m = state[cells + c], h = state[2 * cells + c];
    const float g = params[2 * c], e = params[2 * c + 1];
    for (int s = 0; s < steps; s++) {
        float am = 0.1f * (v + 40.0f) / (1.0f - exp(-0.1f * (v + 41.0f)) + 0.5f);
        float bm = 4.0f * exp(-(v + 65.0f) / 18.0f);
        float ah = 0.07f * exp(-(v + 65.0f) / 20.0f);
        float bh = 1.0f / (1.0f + exp(-0.1f * (v + 35.0f)));
        float dv = -g * m * m * m * h * (v - e) - 0.3f * (v + 54.4f);
        m += dt * (am * (1.0f - m) - bm * m);
        h += dt * (ah * (1.0f - h) - bh * h);
        v += dt * dv;
    }
    state[c] = v;
    state[cells + c] = m;
    state[2 * cells + c] = h;
}
