// Every work-item marches once around its ring; nothing says that there are as many work-items as cells.
__kernel void ring_march(__global const int *a, __global const int *c, __global int *b, int n)
{
    int i = get_global_id(0);
    int sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[(k + 1) % n] * 3 - a[(k + n - 1) % n] + a[(n - k) % n];
    b[i] = sum + c[(i + 1) % n] - c[(i - 2 + n) % n];
}
