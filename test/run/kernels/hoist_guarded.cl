// Divisions that only some work-items and iterations may do: the divisor is zero in others.
__kernel void hoist_guarded(__global const int *a, __global const double *v, __global double *b, int n, int d)
{
    int i = get_global_id(0);
    int e = i % 3;
    double sum = 0.0;
    for (int k = 0; k < n; k++) {
        sum += (e != 0 ? k / e : 1) + (d > 0 ? i % d : 2);
        if (a[k] > i)
            sum += v[i] / (n + 1) + (e ? n / e : 0);
        for (int l = 0; l < a[k] % 5; l++)
            sum -= (i + 0.25) * (i + 0.25) / (d + 2) * l;
    }
    for (int k = 0; k < e; k++)
        sum += 100 / e * v[k];
    b[i] = sum;
}
