// Mean of a square of uchar4 pixels with a runtime radius.
__kernel void box_rgba(__global const uchar4 *in, __global uchar4 *out, const int width, const int height, const int r)
{
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= width || y >= height)
        return;
    uint4 acc = (uint4)(0);
    uint count = 0;
    for (int dy = -r; dy <= r; dy++) {
        int yy = y + dy;
        if (yy < 0 || yy >= height)
            continue;
        for (int dx = -r; dx <= r; dx++) {
            int xx = x + dx;
            if (xx < 0 || xx >= width)
                continue;
            acc += convert_uint4(in[yy * width + xx]);
            count++;
        }
    }
    out[y * width + x] = convert_uchar4(acc / count);
}
