// One anti-diagonal of a global alignment, cells in parallel.
__kernel void nw_diagonal(__global int *score, __global const int *similarity, int n, int diag, int penalty)
{
    int t = get_global_id(0);
    int lo = max(1, diag - n);
    int i = lo + t;
    int j = diag - i;
    if (i > n || j < 1 || j > n)
        return;
    int w = n + 1;
    int a = score[(i - 1) * w + (j - 1)] + similarity[i * w + j];
    int b = score[i * w + (j - 1)] - penalty;
    int c = score[(i - 1) * w + j] - penalty;
    score[i * w + j] = max(a, max(b, c));
}
