// One linear id is split into coordinates.
__kernel void split_linear_id(__global const uchar *a, __global uchar *b, int w, int h)
{
    int id = get_global_id(0);
    if (id >= w * h)
        return;
    int x = id % w;
    int y = id / w;
    b[x * h + y] = 255 - a[y * w + x];
}
