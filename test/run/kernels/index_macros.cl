// Subscripts, elements and types behind macros.
#define T float
#define IDX(i, j) ((i) * n + (j))
#define AT(m, i, j) m[IDX(i, j)]
#ifndef SCALE
#define SCALE 1
#endif
__kernel void index_macros(__global const T *a, __global T *b, int n)
{
    int j = get_global_id(0);
    int i = get_global_id(1);
    AT(b, i, j) = SCALE * AT(a, i, j) + AT(a, j, i);
}
