// Conventional beamforming of a line of hydrophones: what stands before and behind beamform.cl.

// Bins of the discrete Fourier transform. signal[element][time], spectrum[element][frequency].
// NDRange: frequencies x elements work-items.
__kernel void dft(__global const float *signal, __global float2 *spectrum, int frequencies,
                  int points)
{
    int f = get_global_id(0);
    int k = get_global_id(1);
    float2 sum = (float2)(0.0f, 0.0f);
    for (int t = 0; t < points; t++) {
        float phase = 6.2831853f * (f * t % points) / points;
        float x = signal[k * points + t];
        sum.x += x * cos(phase);
        sum.y -= x * sin(phase);
    }
    spectrum[k * frequencies + f] = sum;
}

// Delays of a far source at each angle, counted in degrees from `first`, seen from the middle of
// the line. delay[angle][element] in seconds. NDRange: elements x angles work-items.
__kernel void delays(__global float *delay, int elements, float first, float spacing, float speed)
{
    int k = get_global_id(0);
    int a = get_global_id(1);
    float theta = (first + a) * 0.017453293f;
    delay[a * elements + k] = (k - 0.5f * (elements - 1)) * spacing * cos(theta) / speed;
}

// Power of each angle over all frequencies. NDRange: angles work-items.
__kernel void band_sum(__global const float *power, __global float *total, int angles,
                       int frequencies)
{
    int a = get_global_id(0);
    if (a >= angles)
        return;
    float sum = 0.0f;
    for (int f = 0; f < frequencies; f++)
        sum += power[a * frequencies + f];
    total[a] = sum;
}
