// Loops as long as one argument divided by another, and rows of that length.
__kernel void quotients(__global const float *a, __global float *b, __global int *left, int n, int groups, int rows)
{
    const int x = get_global_id(0), g = get_global_id(1);
    const int each = n / groups, rest = n % groups;
    float sum = 0.0f;
    for (int c = 0; c < each; c++)
        for (int k = 0; k < 3; k++)
            sum += a[(g * each + c) * (rows + 2) + x + k];
    if (x < rows && g < groups) {
        b[g * rows + x] = sum;
        int count = 0;
        for (int c = 0; c < rest; c++)
            count += c * x;
        left[g * rows + x] = count;
    }
}
