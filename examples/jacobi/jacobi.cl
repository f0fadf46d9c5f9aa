// Eigenvalues and eigenvectors by Jacobi rotations, of symmetric matrices and of Hermitian ones.
// A sweep has n - 1 rounds for even n, n for odd n. In every round each index is in one pair, and
// after a sweep all pairs have been there once. The pairs of a round are disjoint and rotated at once.

// Pair k of a round: index 0 stays, the others go round it. n is even.
int2 pair_of(int k, int round, int n)
{
    int p = k == 0 ? 0 : 1 + (round + k) % (n - 1);
    int q = 1 + (round - k + n - 1) % (n - 1);
    return (int2)(min(p, q), max(p, q));
}

// All pairs of all rounds. For odd n the index n is nobody: who is paired with it has a rest.
// NDRange: pairs x rounds work-items, with pairs = (n + 1) / 2 and rounds = 2 * pairs - 1.
__kernel void schedule(__global int2 *table, int pairs)
{
    int k = get_global_id(0);
    int round = get_global_id(1);
    table[round * pairs + k] = pair_of(k, round, 2 * pairs);
}

// Cosine and sine that make a[p][q] zero. NDRange: pairs work-items.
__kernel void symmetric_angles(__global const float *a, __global float2 *rotation, int n, int round)
{
    int k = get_global_id(0);
    int2 pair = pair_of(k, round, n + n % 2);
    float2 r = (float2)(1.0f, 0.0f);
    if (pair.y < n) {
        float off = a[pair.x * n + pair.y];
        if (off != 0.0f) {
            float tau = (a[pair.y * n + pair.y] - a[pair.x * n + pair.x]) / (2.0f * off);
            float t = (tau < 0.0f ? -1.0f : 1.0f) / (fabs(tau) + sqrt(1.0f + tau * tau));
            r.x = 1.0f / sqrt(1.0f + t * t);
            r.y = t * r.x;
        }
    }
    rotation[k] = r;
}

// Rotates rows p and q: of the matrix, and of the transposed eigenvectors.
// NDRange: n x pairs work-items.
__kernel void symmetric_rows(__global float *a, __global const float2 *rotation, int n, int round)
{
    int i = get_global_id(0);
    int k = get_global_id(1);
    int2 pair = pair_of(k, round, n + n % 2);
    if (pair.y >= n)
        return;
    float2 r = rotation[k];
    float p = a[pair.x * n + i];
    float q = a[pair.y * n + i];
    a[pair.x * n + i] = r.x * p - r.y * q;
    a[pair.y * n + i] = r.y * p + r.x * q;
}

// Rotates columns p and q of the matrix. NDRange: pairs x n work-items.
__kernel void symmetric_columns(__global float *a, __global const float2 *rotation, int n,
                                int round)
{
    int k = get_global_id(0);
    int i = get_global_id(1);
    int2 pair = pair_of(k, round, n + n % 2);
    if (pair.y >= n)
        return;
    float2 r = rotation[k];
    float p = a[i * n + pair.x];
    float q = a[i * n + pair.y];
    a[i * n + pair.x] = r.x * p - r.y * q;
    a[i * n + pair.y] = r.y * p + r.x * q;
}

// The same for complex matrices: the phase of a[p][q] is turned away first.
// rotation[k] has the cosine, then the sine times the phase. NDRange: pairs work-items.
__kernel void hermitian_angles(__global const float2 *a, __global float4 *rotation, int n,
                               int round)
{
    int k = get_global_id(0);
    int2 pair = pair_of(k, round, n + n % 2);
    float4 r = (float4)(1.0f, 0.0f, 1.0f, 0.0f);
    if (pair.y < n) {
        float2 off = a[pair.x * n + pair.y];
        float size = hypot(off.x, off.y);
        if (size > 1e-30f) {
            float tau = (a[pair.y * n + pair.y].x - a[pair.x * n + pair.x].x) / (2.0f * size);
            float t = (tau < 0.0f ? -1.0f : 1.0f) / (fabs(tau) + sqrt(1.0f + tau * tau));
            r.x = 1.0f / sqrt(1.0f + t * t);
            r.y = t * r.x;
            r.zw = off / size;
        }
    }
    rotation[k] = r;
}

// NDRange: n x pairs work-items.
__kernel void hermitian_rows(__global float2 *a, __global const float4 *rotation, int n, int round)
{
    int i = get_global_id(0);
    int k = get_global_id(1);
    int2 pair = pair_of(k, round, n + n % 2);
    if (pair.y >= n)
        return;
    float4 r = rotation[k];
    float2 p = a[pair.x * n + i];
    float2 v = a[pair.y * n + i];
    float2 q = (float2)(r.z * v.x - r.w * v.y, r.z * v.y + r.w * v.x);
    a[pair.x * n + i] = r.x * p - r.y * q;
    a[pair.y * n + i] = r.y * p + r.x * q;
}

// NDRange: pairs x n work-items.
__kernel void hermitian_columns(__global float2 *a, __global const float4 *rotation, int n,
                                int round)
{
    int k = get_global_id(0);
    int i = get_global_id(1);
    int2 pair = pair_of(k, round, n + n % 2);
    if (pair.y >= n)
        return;
    float4 r = rotation[k];
    float2 p = a[i * n + pair.x];
    float2 v = a[i * n + pair.y];
    float2 q = (float2)(r.z * v.x + r.w * v.y, r.z * v.y - r.w * v.x);
    a[i * n + pair.x] = r.x * p - r.y * q;
    a[i * n + pair.y] = r.y * p + r.x * q;
}
