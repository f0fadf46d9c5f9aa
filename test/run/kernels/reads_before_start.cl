// A condition within an expression keeps the first work-items from what lies before the
// buffer; no section and no register may be filled from there.
__kernel void reads_before_start(__global int *o, __global const int *a)
{
    int i = get_global_id(0);
    int s = 0;
    for (int k = 0; k < 8; k++)
        s += i + k > 2 ? a[i + k - 3] : 0;
    o[i] = s;
}
