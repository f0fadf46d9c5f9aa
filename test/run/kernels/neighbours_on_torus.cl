// Eight neighbours on a torus, in bytes.
__kernel void neighbours_on_torus(__global const uchar *cur, __global uchar *nxt, const int W, const int H)
{
    const int x = get_global_id(0), y = get_global_id(1);
    if (x >= W || y >= H) return;
    int xl = (x + W - 1) % W, xr = (x + 1) % W, yu = (y + H - 1) % H, yd = (y + 1) % H;
    int n = (cur[yu * W + xl] & 1) + (cur[yu * W + x] & 1) + (cur[yu * W + xr] & 1) + (cur[y * W + xl] & 1) + (cur[y * W + xr] & 1)
          + (cur[yd * W + xl] & 1) + (cur[yd * W + x] & 1) + (cur[yd * W + xr] & 1);
    nxt[y * W + x] = n == 3 || (n == 2 && (cur[y * W + x] & 1));
}
