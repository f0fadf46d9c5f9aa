// A stencil that carries three layers along and advances five subscripts by the layer.
__kernel void heated_layers(__global float *p, __global float *tIn, __global float *tOut, float sdc, int nx, int ny, int nz,
                        float ce, float cw, float cn, float cs, float ct, float cb, float cc)
{
    float amb_temp = 80.0;
    int i = get_global_id(0), j = get_global_id(1);
    if (i >= nx || j >= ny) return;
    int c = i + j * nx;
    int xy = nx * ny;
    int W = (i == 0) ? c : c - 1;
    int E = (i == nx - 1) ? c : c + 1;
    int N = (j == 0) ? c : c - nx;
    int S = (j == ny - 1) ? c : c + nx;
    float temp1, temp2, temp3;
    temp1 = temp2 = tIn[c];
    temp3 = nz > 1 ? tIn[c + xy] : temp2;
    tOut[c] = cc * temp2 + cn * tIn[N] + cs * tIn[S] + ce * tIn[E] + cw * tIn[W] + ct * temp3 + cb * temp1 + sdc * p[c] + ct * amb_temp;
    c += xy; W += xy; E += xy; N += xy; S += xy;
    for (int k = 1; k < nz - 1; ++k) {
        temp1 = temp2; temp2 = temp3; temp3 = tIn[c + xy];
        tOut[c] = cc * temp2 + cn * tIn[N] + cs * tIn[S] + ce * tIn[E] + cw * tIn[W] + ct * temp3 + cb * temp1 + sdc * p[c] + ct * amb_temp;
        c += xy; W += xy; E += xy; N += xy; S += xy;
    }
    if (nz > 1) {
        temp1 = temp2; temp2 = temp3;
        tOut[c] = cc * temp2 + cn * tIn[N] + cs * tIn[S] + ce * tIn[E] + cw * tIn[W] + ct * temp3 + cb * temp1 + sdc * p[c] + ct * amb_temp;
    }
}
