// A while loop with break and continue: steps of the Collatz sequence.
__kernel void while_loop(__global const int *a, __global int *steps, int n)
{
    int i = get_global_id(0);
    if (i >= n)
        return;
    int v = a[i], count = 0;
    while (v != 1) {
        count++;
        if (count >= 200)
            break;
        if (v % 2 == 0) {
            v /= 2;
            continue;
        }
        v = 3 * v + 1;
    }
    steps[i] = count;
}
