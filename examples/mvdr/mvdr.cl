// Minimum variance beamforming (MVDR) of a narrow band; jacobi.cl has the eigenvectors. Signals are
// complex, signal[element][snapshot].

// Mean of signal[i] times the conjugate of signal[j]. NDRange: elements x elements work-items.
__kernel void correlation(__global const float2 *signal, __global float2 *r, int elements,
                          int snapshots)
{
    int j = get_global_id(0);
    int i = get_global_id(1);
    float2 sum = (float2)(0.0f, 0.0f);
    for (int t = 0; t < snapshots; t++) {
        float2 x = signal[i * snapshots + t];
        float2 y = signal[j * snapshots + t];
        sum.x += x.x * y.x + x.y * y.y;
        sum.y += x.y * y.x - x.x * y.y;
    }
    r[i * elements + j] = sum / snapshots;
}

// Adds to the diagonal, so that few snapshots make no singular matrix. NDRange: elements work-items.
__kernel void load_diagonal(__global float2 *r, int elements, float load)
{
    int i = get_global_id(0);
    if (i < elements)
        r[i * elements + i].x += load;
}

// What a far source at each angle would be at each element. The angles cover half a circle; spacing
// is in wavelengths. NDRange: elements x angles work-items.
__kernel void steering(__global float2 *vectors, int elements, int angles, float spacing)
{
    int i = get_global_id(0);
    int a = get_global_id(1);
    float theta = 3.1415927f * a / angles;
    float phase = 6.2831853f * spacing * i * cos(theta);
    vectors[a * elements + i] = (float2)(cos(phase), -sin(phase));
}

// power = 1 / (s^H R^-1 s), where R has the eigenvalues values[k][k] and the eigenvectors whose
// conjugates are the rows of vectors. NDRange: angles work-items.
__kernel void spectrum(__global const float2 *vectors, __global const float2 *values,
                       __global const float2 *steer, __global float *power, int elements,
                       int angles)
{
    int a = get_global_id(0);
    if (a >= angles)
        return;
    float total = 0.0f;
    for (int k = 0; k < elements; k++) {
        float2 sum = (float2)(0.0f, 0.0f);
        for (int i = 0; i < elements; i++) {
            float2 v = vectors[k * elements + i];
            float2 s = steer[a * elements + i];
            sum.x += v.x * s.x - v.y * s.y;
            sum.y += v.x * s.y + v.y * s.x;
        }
        total += (sum.x * sum.x + sum.y * sum.y) / values[k * elements + k].x;
    }
    power[a] = 1.0f / total;
}
