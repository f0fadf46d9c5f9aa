// The names of kernel and accesses come out of macros.
#define CAT_(a, b) a##b
#define CAT(a, b) CAT_(a, b)
#define KERNEL(name) __kernel void CAT(name, SUFFIX)
#define AT(m, r, c) m[(r) * LD(m) + (c)]
#define LD(m) CAT(ld_, m)
#define FOR(v, e) for (int v = 0; v < (e); ++v)
#ifndef SUFFIX
#define SUFFIX _f32
#endif
#ifdef USE_DOUBLE
typedef double real;
#else
typedef float real;
#endif
#define GUARD(v, e) if (v >= e) return
KERNEL(named_by_macros)(__global const real *A, __global const real *B, __global real *C, int M, int N, int K, int ld_A, int ld_B, int ld_C)
{
    const int c = get_global_id(0), r = get_global_id(1);
    GUARD(c, N); GUARD(r, M);
    real acc = 0;
    FOR(k, K) acc += AT(A, r, k) * AT(B, k, c);
    AT(C, r, c) = acc;
}
