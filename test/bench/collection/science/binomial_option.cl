// An option per group: the lattice in local memory.
#define STEPS 254

__kernel void binomial_options(int numSteps, const __global float *randArray, __global float *output, __local float *callA,
                               __local float *callB)
{
    unsigned int tid = get_local_id(0);
    unsigned int bid = get_group_id(0);
    float inRand = randArray[bid];
    float s = (1.0f - inRand) * 5.0f + inRand * 30.f;
    float x = (1.0f - inRand) * 1.0f + inRand * 100.f;
    float optionYears = (1.0f - inRand) * 0.25f + inRand * 10.f;
    float dt = optionYears * (1.0f / (float)numSteps);
    float vsdt = 0.30f * sqrt(dt);
    float rdt = 0.02f * dt;
    float r = exp(rdt);
    float rInv = 1.0f / r;
    float u = exp(vsdt);
    float d = 1.0f / u;
    float pu = (r - d) / (u - d);
    float pd = 1.0f - pu;
    float puByr = pu * rInv;
    float pdByr = pd * rInv;
    float price = s * exp(vsdt * (2.0f * tid - (float)numSteps));
    callA[tid] = fmax(price - x, 0.0f);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = numSteps; j > 0; j -= 2) {
        if (tid < j)
            callB[tid] = puByr * callA[tid] + pdByr * callA[tid + 1];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (tid < j - 1)
            callA[tid] = puByr * callB[tid] + pdByr * callB[tid + 1];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (tid == 0)
        output[bid] = callA[0];
}
