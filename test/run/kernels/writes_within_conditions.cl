// `&&` and `?:` decide what is written: the other cells keep their values.
__kernel void writes_within_conditions(__global int *o, __global int *r,
                                       __global const int *a, int f)
{
    int w = get_global_id(0);
    for (int i = 0; i < 8; i++)
        (void)(i > 2 && (o[w * 8 + i] = a[w * 8 + i]));
    for (int k = 0; k < 8; k++)
        f > 2 ? (r[w * 8 + k] = a[w * 8 + k]) : 0;
}
