// Squared distances of queries and references, a dimension of features in the loop.
__kernel void distances(__global const float *ref, int ref_nb, __global const float *query, int query_nb, int dim,
                        __global float *dist)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    if (x < query_nb && y < ref_nb) {
        float ssd = 0.f;
        for (int i = 0; i < dim; ++i) {
            float tmp = ref[i * ref_nb + y] - query[i * query_nb + x];
            ssd += tmp * tmp;
        }
        dist[y * query_nb + x] = ssd;
    }
}
