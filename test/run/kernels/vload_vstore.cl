// vload and vstore of three widths at addresses that are only aligned for an element.
__kernel void vload_vstore(__global const float *a, __global float *b, int n)
{
    int i = get_global_id(0);
    if (i >= n)
        return;
    float2 u = vload2(i, a + 1);
    float4 v = vload4(i, a);
    float3 w = vload3(i, a + 2);
    vstore4((float4)(v.x + u.x, v.y + u.y, v.z + u.x, v.w + u.y), i, b);
    vstore3(w, i, b + 4 * n);
}
