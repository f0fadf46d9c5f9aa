// A bound with !=, stepping by one and by two.
__kernel void loop_not_equal(__global const int *a, __global int *b, int n, int m)
{
    int i = get_global_id(0);
    int s = 0;
    for (int k = 0; k != m; ++k)
        s += a[i * m + k];
    for (int k = 2 * m; k != 0; k -= 2)
        s -= k;
    b[i] = s;
}
