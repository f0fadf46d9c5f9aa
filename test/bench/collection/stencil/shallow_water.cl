// Heights and two momenta, Lax-Friedrichs.
__kernel void lax(__global const float *h, __global const float *hu, __global const float *hv, __global float *h2,
                  __global float *hu2, __global float *hv2, const int W, const int H, const float lam, const float g)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x <= 0 || x >= W - 1 || y <= 0 || y >= H - 1)
        return;
    int c = y * W + x, e = c + 1, w = c - 1, n = c - W, s = c + W;
    float fe = hu[e] * hu[e] / h[e] + 0.5f * g * h[e] * h[e];
    float fw = hu[w] * hu[w] / h[w] + 0.5f * g * h[w] * h[w];
    float gs = hv[s] * hv[s] / h[s] + 0.5f * g * h[s] * h[s];
    float gn = hv[n] * hv[n] / h[n] + 0.5f * g * h[n] * h[n];
    float xe = hu[e] * hv[e] / h[e], xw = hu[w] * hv[w] / h[w];
    float xs = hu[s] * hv[s] / h[s], xn = hu[n] * hv[n] / h[n];
    h2[c] = 0.25f * (h[e] + h[w] + h[n] + h[s]) - lam * (hu[e] - hu[w] + hv[s] - hv[n]);
    hu2[c] = 0.25f * (hu[e] + hu[w] + hu[n] + hu[s]) - lam * (fe - fw + xs - xn);
    hv2[c] = 0.25f * (hv[e] + hv[w] + hv[n] + hv[s]) - lam * (xe - xw + gs - gn);
}
