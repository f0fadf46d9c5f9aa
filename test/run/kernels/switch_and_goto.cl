// Control flow that nobody has to understand, only to keep.
__kernel void switch_and_goto(__global const int *a, __global int *b, int n)
{
    int i = get_global_id(0);
    int v = 0;
    if (i >= n)
        goto out;
    switch (a[i] & 3) {
    case 0:
        v = 1;
        /* falls through */
    case 1:
        v += 2;
        break;
    case 2:
        v = -a[i];
        break;
    default:
        v = 7;
    }
    b[i] = v;
out:
    return;
}
